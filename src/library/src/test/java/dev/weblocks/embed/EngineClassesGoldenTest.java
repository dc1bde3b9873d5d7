package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassReader;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.MethodVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Opcodes;
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
import java.util.ArrayDeque;
import java.util.Deque;
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

/**
 * The list of classes that the warm-up initializes. It has each class with an initializer of the
 * engine and of this library, except unreachable ones, and those of the JDK and of other libraries
 * that a run of {@link EveryFeature} initializes. A class of ICU, which the engine uses, is
 * unreachable unless the constants of another reachable class name it.
 */
class EngineClassesGoldenTest {

  private static final Path LIST =
      Path.of("src/library/src/main/resources/dev/weblocks/agent/engine-classes.txt");

  /** The jars of the engine, and the folder of our classes, of which all classes count. */
  private static final Pattern WHOLE =
      Pattern.compile(
          ".*[/\\\\](library[/\\\\]target[/\\\\]classes"
              + "|(js-language|truffle-api|regex|polyglot|collections|icu4j)-25[.\\d]*\\.jar)");

  private static final Pattern OF_ICU = Pattern.compile("org[.]graalvm[.]shadowed[.].*");

  /** A class in a descriptor or a signature. */
  private static final Pattern IN_TYPE = Pattern.compile("L([^;<]+)[;<]");

  /** The classes that script cannot reach, unless the training shows otherwise, by reason. */
  private static final Map<String, String> UNREACHABLE =
      Map.ofEntries(
          Map.entry("com[.]oracle[.]truffle[.]api[.]debug[.].*", "debuggers only"),
          Map.entry(
              "com[.]oracle[.]truffle[.]api[.]bytecode[.].*", "interpreters of other languages"),
          Map.entry("com[.]oracle[.]truffle[.]api[.]staticobject[.].*", "other languages"),
          Map.entry(
              "com[.]oracle[.]truffle[.]polyglot[.]JDKSupport.*",
              "needs an export of the JDK; the engine initializes it at its start where it has it"),
          Map.entry(
              "com[.]oracle[.]truffle[.]regex[.]flavor[.](python|ruby|java|oracledb)[.].*",
              "regular expressions of other languages"),
          Map.entry("com[.]oracle[.]truffle[.]js[.]builtins[.]testing[.].*", "tests of the engine"),
          Map.entry(
              "com[.]oracle[.]truffle[.].*[.]DebugCounter[$]DebugCounterImpl",
              "an option is off, and an assertion of the initializer requires it"),
          Map.entry("com[.]oracle[.]truffle[.]js[.]builtins[.]commonjs[.].*", "an option is off"),
          Map.entry("com[.]oracle[.]truffle[.]js[.].*[.]wasm[.].*", "the language is missing"),
          Map.entry("org[.]graalvm[.]shadowed[.]com[.]ibm[.]icu[.]charset[.].*", "Java converts"),
          Map.entry(
              "org[.]graalvm[.]shadowed[.]com[.]ibm[.]icu[.](impl[.]duration|message2)[.].*",
              "not in ECMA-402"));

  private static final Pattern INITIALIZED = Pattern.compile("Initializing '([^']*)'");

  /** Generated classes, and parts of the JDK that belong to the JVM's own start and end. */
  private static final Pattern NOT_FOR_SCRIPT =
      Pattern.compile(
          ".*(0x|Lambda[/$]|\\$Proxy|/LambdaForm\\$(MH|DMH|BMH|VH)|Species_).*"
              + "|(jdk/jfr|jdk/internal/(misc/CDS|event)|java/lang/Shutdown|sun/launcher|org/junit"
              + "|dev/weblocks/embed/EveryFeature).*");

  // tags of constants
  private static final int CLASS = 7;
  private static final int STRING = 8;
  private static final int NAME_AND_TYPE = 12;

  @TempDir Path folder;

  @Test
  void list_has_all_initializers_that_script_can_reach() throws Exception {
    Set<String> needed = new TreeSet<>();
    Set<String> unused = new TreeSet<>(UNREACHABLE.keySet());
    Map<String, Set<String>> constants = new TreeMap<>();
    Set<String> initialized = new TreeSet<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (WHOLE.matcher(entry).matches()) {
        read(Path.of(entry), constants, initialized);
      }
    }
    Set<String> named = reachable(constants);
    for (String name : initialized) {
      boolean reachable = named.contains(name);
      for (String pattern : UNREACHABLE.keySet()) {
        if (name.matches(pattern)) {
          unused.remove(pattern);
          reachable = false;
        }
      }
      if (reachable) {
        needed.add(name);
      }
    }
    assertTrue(needed.size() > 3000, "too few classes were found: " + needed.size());
    assertEquals(Set.of(), unused, "exclusions without a class");
    if (Boolean.getBoolean("golden.rebaseline")) {
      needed.addAll(trained());
      Golden.checkFile(LIST, String.join("\n", needed));
    } else {
      needed.removeAll(Files.readAllLines(LIST));
      assertEquals(Set.of(), needed, "missing in " + LIST + "; run scripts/rebaseline");
    }
  }

  @Test
  void every_listed_class_that_exists_can_be_initialized() throws Exception {
    Map<String, Throwable> failed = new TreeMap<>();
    int found = 0;
    for (String name : Files.readAllLines(LIST)) {
      try {
        Class<?> unused = Class.forName(name);
        found++;
      } catch (ClassNotFoundException ofAnotherJdk) {
        assertTrue(name.matches("(java|jdk|sun|com[.]sun)[.].*"), name + " does not exist");
      } catch (LinkageError broken) {
        failed.put(name, broken);
      }
    }
    assertEquals(Map.of(), failed);
    assertTrue(found > 3000, "too few classes were found: " + found);
  }

  /** Returns all classes but those of ICU that no constant names. */
  private static Set<String> reachable(Map<String, Set<String>> constants) {
    Set<String> reached = new TreeSet<>();
    Deque<String> left = new ArrayDeque<>(constants.keySet());
    left.removeIf(name -> OF_ICU.matcher(name).matches());
    while (!left.isEmpty()) {
      String name = left.pop();
      Set<String> others = constants.get(name);
      if (others != null && reached.add(name)) {
        left.addAll(others);
      }
    }
    return reached;
  }

  private static void read(Path place, Map<String, Set<String>> constants, Set<String> initialized)
      throws IOException {
    if (Files.isDirectory(place)) {
      collect(place, constants, initialized);
    } else {
      try (FileSystem jar = FileSystems.newFileSystem(place)) {
        collect(jar.getPath("/"), constants, initialized);
      }
    }
  }

  private static void collect(
      Path root, Map<String, Set<String>> constants, Set<String> initialized) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (file.toString().endsWith(".class") && !file.toString().contains("META-INF")) {
          try (InputStream in = Files.newInputStream(file)) {
            ClassReader reader = new ClassReader(in);
            String name = reader.getClassName().replace('/', '.');
            constants.put(name, namesIn(reader));
            if (hasInitializer(reader)) {
              initialized.add(name);
            }
          }
        }
      }
    }
  }

  /** Returns what may be names of classes among the constants: in code, in types and in texts. */
  private static Set<String> namesIn(ClassReader reader) {
    Set<String> names = new TreeSet<>();
    char[] buffer = new char[reader.getMaxStringLength()];
    for (int i = 1; i < reader.getItemCount(); i++) {
      int at = reader.getItem(i);
      if (at != 0 && (reader.readByte(at - 1) == CLASS || reader.readByte(at - 1) == STRING)) {
        names.add(reader.readUTF8(at, buffer).replace('/', '.'));
      } else if (at != 0 && reader.readByte(at - 1) == NAME_AND_TYPE) {
        Matcher types = IN_TYPE.matcher(reader.readUTF8(at + 2, buffer));
        while (types.find()) {
          names.add(types.group(1).replace('/', '.'));
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

  /**
   * Returns what the training initializes, and further nested classes of these classes of the JDK:
   * they are the holders and tables for cases that the training does not meet.
   */
  private Set<String> trained() throws Exception {
    Path log = folder.resolve("log");
    // once with and once without the flag of jvm.options that changes how strings are concatenated
    Set<String> names = new TreeSet<>();
    for (String threshold : List.of("200", "0")) {
      List<String> command =
          OtherJvm.command(
              List.of(
                  "@scripts/jvm.options",
                  "-Djava.lang.invoke.StringConcat.highArityThreshold=" + threshold,
                  "-Xlog:class+init=info:file=" + log + ":none"),
              EveryFeature.Training.class);
      Process process = new ProcessBuilder(command).inheritIO().start();
      assertEquals(0, process.waitFor());
      for (String line : Files.readAllLines(log)) {
        Matcher name = INITIALIZED.matcher(line);
        if (name.find()
            && !line.contains("(no method)")
            && !NOT_FOR_SCRIPT.matcher(name.group(1)).matches()) {
          names.add(name.group(1).replace('/', '.'));
        }
      }
    }
    Set<String> nested = new TreeSet<>();
    Set<String> ofJdk = new TreeSet<>();
    collect(
        FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules/java.base"),
        new TreeMap<>(),
        ofJdk);
    for (String name : ofJdk) {
      int outer = name.indexOf('$');
      if (outer > 0
          && name.matches(
              "(java[.](lang|util|math|text|time)|jdk[.]internal[.](classfile|util))[.].*")
          && names.contains(name.substring(0, outer))
          && !NOT_FOR_SCRIPT.matcher(name.replace('.', '/')).matches()) {
        nested.add(name);
      }
    }
    names.addAll(nested);
    names.removeIf(EngineClassesGoldenTest::isGenerated);
    return names;
  }

  private static boolean isGenerated(String name) {
    return ClassLoader.getSystemResource(name.replace('.', '/') + ".class") == null;
  }
}
