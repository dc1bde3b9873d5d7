package dev.weblocks.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The metadata of the library for native images, compared with its code. */
class NativeImageMetadataTest {

  private static final String METADATA =
      "META-INF/native-image/dev.weblocks/weblocks/reachability-metadata.json";

  private static final Path CLASSES = Path.of("src/library/target/classes");

  /** Methods that look up classes, members or files by name, by their declaring class. */
  private static final Map<String, Predicate<String>> BY_NAME =
      Map.of(
          Class.class.getName(),
          method ->
              method.startsWith("getResource")
                  || method.startsWith("getDeclared")
                  || method.startsWith("getMethod")
                  || method.startsWith("getField")
                  || method.startsWith("getConstructor")
                  || method.startsWith("getRecordComponents")
                  || method.startsWith("getPermittedSubclasses")
                  || method.equals("forName")
                  || method.equals("newInstance"),
          ClassLoader.class.getName(),
          method -> method.contains("esource") || method.equals("loadClass"),
          Module.class.getName(),
          method -> method.startsWith("getResource"),
          ServiceLoader.class.getName(),
          method -> method.startsWith("load"),
          ResourceBundle.class.getName(),
          method -> method.equals("getBundle"),
          Proxy.class.getName(),
          method -> method.equals("newProxyInstance"),
          MethodHandles.Lookup.class.getName(),
          method -> method.startsWith("find") || method.startsWith("unreflect"),
          java.io.ObjectInputStream.class.getName(),
          method -> method.startsWith("read"),
          System.class.getName(),
          method -> method.startsWith("load"));

  @Test
  void metadata_names_every_resource_of_the_library_and_no_other() throws Exception {
    Set<String> present;
    try (Stream<Path> files = Files.walk(CLASSES)) {
      present =
          files
              .filter(Files::isRegularFile)
              .map(file -> CLASSES.relativize(file).toString().replace(File.separatorChar, '/'))
              .filter(name -> !name.startsWith("META-INF/") && !name.endsWith(".class"))
              .collect(Collectors.toCollection(TreeSet::new));
    }
    assertTrue(present.contains("dev/weblocks/locks/web-locks.idl"), present.toString());

    Set<String> listed = new TreeSet<>(resources());
    listed.removeIf(name -> !name.startsWith("dev/"));

    assertEquals(Set.of(), without(present, listed), "not named in " + METADATA);
    assertEquals(Set.of(), without(listed, present), "named, but not there");
  }

  @Test
  void metadata_names_existing_resources_only() throws Exception {
    for (String name : resources()) {
      assertNotNull(getClass().getClassLoader().getResource(name), name);
    }
    assertEquals(resources().size(), new TreeSet<>(resources()).size(), "named once each");
  }

  /** A new look-up by name needs an entry in the metadata. */
  @Test
  void only_known_classes_look_up_classes_members_or_resources_by_name() {
    Map<String, Set<String>> found = new TreeMap<>();
    for (JavaClass type : ArchitectureTest.LIBRARY) {
      type.getAccessesFromSelf().stream()
          .map(JavaAccess::getTarget)
          .filter(target ->
              BY_NAME
                  .getOrDefault(target.getOwner().getName(), method -> false)
                  .test(target.getName()))
          .forEach(target ->
              found
                  .computeIfAbsent(type.getName(), name -> new TreeSet<>())
                  .add(target.getOwner().getSimpleName() + "." + target.getName()));
    }

    assertEquals(
        Map.of(
            "dev.weblocks.agent.EngineClasses", Set.of("ClassLoader.getResource"),
            "dev.weblocks.agent.EngineVersions",
                Set.of(
                    "ClassLoader.getResource",
                    "ClassLoader.getResourceAsStream",
                    "ClassLoader.getResources"), // the last one not in an image
            "dev.weblocks.agent.ImportMetaUrl", Set.of("Class.getMethod"),
            "dev.weblocks.agent.EngineWarmUp", Set.of("Class.forName", "Class.getResourceAsStream"),
            "dev.weblocks.binding.Resources", Set.of("Class.getResourceAsStream")),
        found);
  }

  @Test
  void metadata_names_the_resources_that_dependencies_read() throws Exception {
    Set<String> read = new TreeSet<>();
    try (Recording loader = new Recording(read)) {
      loader.loadClass("dev.weblocks.url.UrlModule").getMethod("warmUp").invoke(null);
      loader
          .loadClass("org.jsoup.Jsoup")
          .getMethod("parse", String.class)
          .invoke(null, "<p>&eacute;<table><svg>");
    }

    assertTrue(read.contains("dev/weblocks/url/idna.txt"), read.toString());
    read.removeAll(resources());
    assertEquals(Set.of(), read);
  }

  private static Set<String> without(Set<String> names, Set<String> others) {
    Set<String> rest = new TreeSet<>(names);
    rest.removeAll(others);
    return rest;
  }

  private static List<String> resources() throws IOException {
    try (InputStream in =
        NativeImageMetadataTest.class.getClassLoader().getResourceAsStream(METADATA)) {
      assertNotNull(in, METADATA);
      JsonNode metadata = new ObjectMapper().readTree(in);
      assertEquals(
          Set.of("resources"),
          StreamSupport.stream(((Iterable<String>) metadata::fieldNames).spliterator(), false)
              .collect(Collectors.toSet()));
      return StreamSupport.stream(metadata.get("resources").spliterator(), false)
          .map(entry -> entry.get("glob").asText())
          .toList();
    }
  }

  /** A loader that reloads all classes of the class path and records the resources they find. */
  private static final class Recording extends URLClassLoader {

    private final Set<String> found;

    Recording(Set<String> found) {
      super(classPath(), ClassLoader.getPlatformClassLoader());
      this.found = found;
    }

    private static URL[] classPath() {
      return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
          .map(entry -> {
            try {
              return Path.of(entry).toUri().toURL();
            } catch (MalformedURLException impossible) {
              throw new AssertionError(entry, impossible);
            }
          })
          .toArray(URL[]::new);
    }

    @Override
    public URL getResource(String name) {
      URL resource = super.getResource(name);
      if (resource != null) {
        found.add(name);
      }
      return resource;
    }
  }
}
