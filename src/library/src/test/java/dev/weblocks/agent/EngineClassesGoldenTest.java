package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassReader;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.MethodVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Opcodes;
import dev.weblocks.embed.EveryFeature;
import dev.weblocks.testing.Golden;
import dev.weblocks.testing.OtherJvm;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The classes that the warm-up initializes: those that the jars hold, and those of the JDK. */
class EngineClassesGoldenTest {

  private static final Path OF_JDK =
      Path.of("src/library/src/main/resources/dev/weblocks/agent/jdk-classes.txt");

  /** The jars of which all classes with an initializer count, and the folder of our classes. */
  private static final Pattern WHOLE =
      Pattern.compile(
          ".*[/\\\\](library[/\\\\]target[/\\\\]classes"
              + "|(js-language|truffle-api|regex|polyglot|collections|icu4j)-2\\d\\.[.\\d]*\\.jar"
              + "|jsoup-1\\.[.\\d]*\\.jar)");

  private static final Pattern INITIALIZED = Pattern.compile("Initializing '([^']*)'");

  /** Generated classes, and parts of the JDK that belong to the JVM's own start and end. */
  private static final Pattern NOT_FOR_SCRIPT =
      Pattern.compile(
          ".*(0x|Lambda[/$]|\\$Proxy|/LambdaForm\\$(MH|DMH|BMH|VH)|Species_).*"
              + "|(jdk/jfr|jdk/internal/(misc/CDS|event)|java/lang/Shutdown|sun/launcher|org/junit"
              + "|dev/weblocks/embed/EveryFeature).*");

  @TempDir Path folder;

  @Test
  void list_has_each_class_of_engine_and_library_with_an_initializer() throws Exception {
    Set<String> unused = new TreeSet<>(EngineClasses.UNREACHABLE);
    Set<String> missing = new TreeSet<>();
    Collection<String> list = EngineClasses.list();
    int found = 0;
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (WHOLE.matcher(entry).matches()) {
        for (String name : initializedIn(Path.of(entry))) {
          found++;
          if (!unused.removeIf(name::matches)
              && EngineClasses.UNREACHABLE.stream().noneMatch(name::matches)
              && !list.contains(name)) {
            missing.add(name);
          }
        }
      }
    }
    assertTrue(found > 3000, "too few classes were found: " + found);
    assertEquals(Set.of(), missing);
    if (EngineVersions.isOfBuild()) {
      unused.removeIf(pattern -> pattern.contains("polyglot[.]isolate")); // of later engines
      assertEquals(Set.of(), unused, "exclusions without a class");
    }
  }

  @Test
  void every_listed_class_that_exists_can_be_initialized() {
    Map<String, Throwable> failed = new TreeMap<>();
    int found = 0;
    for (String name : EngineClasses.list()) {
      try {
        Class<?> unused = Class.forName(name);
        found++;
      } catch (ClassNotFoundException ofAnotherJdk) {
        assertTrue(name.matches("(java|jdk|sun)[.].*"), name + " does not exist");
      } catch (LinkageError broken) {
        failed.put(name, broken);
      }
    }
    assertEquals(Map.of(), failed);
    assertTrue(found > 3000, "too few classes were found: " + found);
  }

  /** With and without the flag of jvm.options that changes how strings are concatenated. */
  @Test
  void no_script_initializes_a_class_after_the_warm_up() throws Exception {
    if (Boolean.getBoolean("golden.rebaseline")) {
      Set<String> names = initialized("cold", "200");
      names.addAll(initialized("cold", "0"));
      names.addAll(nested(names));
      names.removeIf(name -> !name.matches("(java|jdk|sun)[.].*") || isGenerated(name));
      Golden.checkFile(OF_JDK, String.join("\n", names));
    } else {
      for (String threshold : List.of("200", "0")) {
        Set<String> late = initialized("warm", threshold);
        late.removeIf(EngineClassesGoldenTest::isGenerated);
        assertEquals(Set.of(), late, "scripts/rebaseline adds those of the JDK");
      }
    }
  }

  @Test
  void names_of_another_engine_are_read_from_its_jars_and_kept() throws Exception {
    Path cache = folder.resolve("cache");

    Collection<String> names = EngineClasses.ofOtherEngine("99.0", cache);

    assertTrue(EngineClasses.list().containsAll(names), "the engine is the same here");
    assertTrue(names.size() > 3000, names.size() + " names");
    List<Path> files = filesIn(cache);
    assertEquals(1, files.size(), files.toString());

    Files.write(files.getFirst(), List.of("com.oracle.One", "java.lang.Two", "end"));
    assertEquals(List.of("com.oracle.One"), EngineClasses.ofOtherEngine("99.0", cache));

    Files.write(files.getFirst(), List.of("com.oracle.One")); // as an interrupted write leaves it
    assertEquals(names, EngineClasses.ofOtherEngine("99.0", cache));
    assertEquals(files, filesIn(cache));
    assertEquals("end", Files.readAllLines(files.getFirst()).getLast());
  }

  @Test
  void names_are_not_kept_without_a_folder_or_for_a_development_build() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));

    assertFalse(EngineClasses.ofOtherEngine("99.0", null).isEmpty());
    assertFalse(EngineClasses.ofOtherEngine("99.0", file).isEmpty());
    assertFalse(EngineClasses.ofOtherEngine(null, folder).isEmpty());
    assertFalse(EngineClasses.ofOtherEngine("99.0-dev", folder).isEmpty());
    assertEquals(List.of(file), filesIn(folder));
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  private static Set<String> initializedIn(Path place) throws IOException {
    if (Files.isDirectory(place)) {
      return initializedBelow(place);
    }
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      return initializedBelow(jar.getPath("/"));
    }
  }

  private static Set<String> initializedBelow(Path root) throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (file.toString().endsWith(".class") && !file.toString().contains("META-INF")) {
          try (InputStream in = Files.newInputStream(file)) {
            ClassReader reader = new ClassReader(in);
            if (hasInitializer(reader)) {
              names.add(reader.getClassName().replace('/', '.'));
            }
          }
        }
      }
    }
    return names;
  }

  private static boolean hasInitializer(ClassReader reader) {
    boolean[] found = {false};
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            found[0] |= name.equals("<clinit>");
            return null;
          }
        },
        ClassReader.SKIP_CODE);
    return found[0];
  }

  /** Returns what the training initializes: "cold" everything, "warm" what follows the warm-up. */
  private Set<String> initialized(String start, String threshold) throws Exception {
    Path log = folder.resolve("log");
    List<String> command =
        OtherJvm.command(
            List.of(
                "@scripts/jvm.options",
                "-Djava.lang.invoke.StringConcat.highArityThreshold=" + threshold,
                "-Xlog:class+init=info:file=" + log + ":none"),
            EveryFeature.Training.class,
            start);
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertEquals(0, process.waitFor());
    Set<String> names = new TreeSet<>();
    boolean counts = start.equals("cold");
    for (String line : Files.readAllLines(log)) {
      Matcher name = INITIALIZED.matcher(line);
      if (name.find() && !line.contains("(no method)")) {
        if (counts && !NOT_FOR_SCRIPT.matcher(name.group(1)).matches()) {
          names.add(name.group(1).replace('/', '.'));
        }
        counts |= name.group(1).endsWith("EveryFeature$Warm");
      }
    }
    assertTrue(counts, "the training has not reached the end of the warm-up");
    return names;
  }

  /**
   * Returns the nested classes of classes of the JDK: they are the holders and tables for cases
   * that the training does not meet.
   */
  private static Set<String> nested(Set<String> names) throws IOException {
    Set<String> nested =
        initializedBelow(
            FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules/java.base"));
    nested.removeIf(name -> {
      int outer = name.indexOf('$');
      return outer < 0
          || !name.matches(
              "(java[.](lang|util|math|text|time)|jdk[.]internal[.](classfile|util))[.].*")
          || !names.contains(name.substring(0, outer))
          || NOT_FOR_SCRIPT.matcher(name.replace('.', '/')).matches();
    });
    return nested;
  }

  private static boolean isGenerated(String name) {
    return ClassLoader.getSystemResource(name.replace('.', '/') + ".class") == null;
  }
}
