package dev.weblocks.harness.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.ResourceRequest;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.harness.compare.PageHost;
import dev.weblocks.harness.wpt.ResultCollector;
import dev.weblocks.harness.wpt.WptFiles;
import dev.weblocks.harness.wpt.WptHosts;
import dev.weblocks.harness.wpt.WptServer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every reader of files for script, with every kind of path that leads out of its directory. */
class ServedFilesTest {

  /** A reader of files for script: returns a status and the text of a path with leading slash. */
  private interface Reader {
    String read(String path) throws Exception;
  }

  @TempDir private Path folder;
  private Path root;
  private Site site;
  private final List<String> notes = new ArrayList<>();

  @BeforeEach
  void makeFiles() throws IOException {
    folder = folder.toRealPath();
    root = Files.createDirectories(folder.resolve("root"));
    Files.writeString(folder.resolve("secret.txt"), "SECRET");
    Files.writeString(folder.resolve("secret.headers"), "X-Secret: SECRET");
    Files.createDirectory(folder.resolve("elsewhere"));
    Files.writeString(folder.resolve("elsewhere/index.html"), "SECRET");
    Files.writeString(root.resolve("a.txt"), "text");
    Files.createDirectories(root.resolve("sub"));
    Files.writeString(root.resolve("sub/b.txt"), "text");
    link("same.txt", Path.of("a.txt"));
    link("sub/up.txt", Path.of("../a.txt"));
    link("same", root.resolve("sub"));
    link("out.txt", Path.of("../secret.txt"));
    link("chain.txt", Path.of("out.txt"));
    link("up", Path.of(".."));
    link("elsewhere", folder.resolve("elsewhere"));
    link("a.txt.headers", Path.of("../secret.headers"));
    link("sub/__dir__.headers", Path.of("../../secret.headers"));
    site =
        new Site(
            "https://localhost",
            List.of(root),
            folder,
            Set.of(),
            ResourceLoader.inMemory().build(),
            Runnable::run,
            notes::add);
  }

  private void link(String name, Path target) throws IOException {
    Files.createSymbolicLink(root.resolve(name), target);
  }

  private static String shown(ResourceLoader loader, String url) {
    ResourceRequest request = new ResourceRequest("GET", url, List.of(), new byte[0]);
    ResourceResponse response = loader.load(request).toCompletableFuture().join();
    return shown(response.status(), response.headers().toString(), response.body());
  }

  private static String shown(int status, String headers, byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    return status + (headers.contains("SECRET") || text.contains("SECRET") ? " SECRET" : "");
  }

  private Map<String, Reader> readers() {
    WptServer wpt =
        new WptServer(
            WptHosts.standard(),
            new WptFiles(root),
            "",
            new ResultCollector("", () -> {}),
            () -> new UUID(0, 0),
            (delay, action) -> () -> {},
            null);
    ResourceLoader directory = ResourceLoader.directory("https://one.test/", root, Runnable::run);
    ResourceLoader files = ResourceLoader.files(root);
    Map<String, Reader> readers = new LinkedHashMap<>();
    readers.put("directory", path -> shown(directory, "https://one.test" + path));
    readers.put(
        "files", path -> shown(files, root.toUri().toString().replaceFirst("/$", "") + path));
    readers.put("Site", path -> shown(site, "https://localhost" + path));
    readers.put("WptServer", path -> shown(wpt, "http://web-platform.test:8000" + path));
    readers.put(
        "PageHost",
        path -> {
          try (PageHost host = new PageHost(root)) {
            String origin = host.url("").replaceFirst("/$", "").replace("weblocks.", "");
            HttpResponse<byte[]> response =
                HttpClient.newHttpClient()
                    .send(
                        HttpRequest.newBuilder(URI.create(origin + path)).build(),
                        HttpResponse.BodyHandlers.ofByteArray());
            return shown(
                response.statusCode(), response.headers().map().toString(), response.body());
          }
        });
    return readers;
  }

  /** Returns the answer of each reader; paths may contain the absolute path of the folder. */
  private Map<String, String> answers(String path) throws Exception {
    Map<String, String> answers = new LinkedHashMap<>();
    for (Map.Entry<String, Reader> each : readers().entrySet()) {
      String absolute = folder.toString().substring(1);
      answers.put(each.getKey(), each.getValue().read(path.replace("FOLDER", absolute)));
    }
    return answers;
  }

  private static Map<String, String> all(Map<String, String> answers, String expected) {
    Map<String, String> same = new LinkedHashMap<>(answers);
    same.replaceAll((reader, answer) -> expected);
    return same;
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a.txt", "/sub/b.txt", "/same.txt", "/sub/up.txt", "/same/b.txt"})
  void readers_follow_links_that_stay_in_the_directory(String path) throws Exception {
    Map<String, String> answers = answers(path);
    assertEquals(all(answers, "200"), answers);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//FOLDER/secret.txt",
        "/%2FFOLDER/secret.txt",
        "/%2FFOLDER%2Fsecret.txt",
        "///FOLDER/secret.txt",
        "/sub//FOLDER/secret.txt",
        "/sub/%2FFOLDER/secret.txt",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2Fsecret.txt",
        "/%2e%2e%2Fsecret.txt",
        "/sub/..%2F..%2Fsecret.txt",
        "/.%2F..%2Fsecret.txt",
        "/..%5Csecret.txt",
        "/out.txt",
        "/chain.txt",
        "/up/secret.txt",
        "/up%2Fsecret.txt",
        "/elsewhere/index.html",
        "/elsewhere/",
        "/secret.txt%00",
        "/out.txt%00.js",
        "/missing.txt"
      })
  void no_path_and_no_link_leads_out_of_any_reader(String path) throws Exception {
    Map<String, String> answers = answers(path);
    assertEquals(all(answers, "404"), answers);
  }

  @Test
  void hidden_directory_of_tests_is_reached_by_no_other_spelling() throws Exception {
    Files.createDirectory(root.resolve("tools"));
    Files.writeString(root.resolve("tools/a.txt"), "SECRET");
    Reader wpt = readers().get("WptServer");
    assertEquals("404", wpt.read("/tools/a.txt"));
    assertEquals("404", wpt.read("//tools/a.txt"));
    assertEquals("404", wpt.read("/%2Ftools/a.txt"));
    assertEquals("404", wpt.read("/.%2Ftools/a.txt"));
  }

  @Test
  void file_over_the_size_limit_is_refused_with_its_size() throws Exception {
    try (RandomAccessFile large = new RandomAccessFile(root.resolve("large.txt").toFile(), "rw")) {
      large.setLength((1L << 28) + 1); // sparse
    }
    String reason = "268435457 bytes are more than may be read of one file (268435456); split it";
    for (String reader : List.of("directory", "files", "Site")) {
      Throwable failure =
          assertThrows(
                  CompletionException.class, () -> readers().get(reader).read("/large.txt"), reader)
              .getCause();
      assertTrue(String.valueOf(failure.getMessage()).contains(reason), () -> "" + failure);
    }
    assertTrue(notes.toString().contains(reason), notes::toString);
    assertEquals("500", readers().get("WptServer").read("/large.txt"));
  }

  @Test
  void run_says_which_link_leads_out() {
    assertEquals("404", shown(site, "https://localhost/out.txt"));
    assertEquals(
        List.of(
            "refused https://localhost/out.txt: a symbolic link leads out of root: name a directory"
                + " that contains its target with --root"),
        notes);
  }

  // ---- packages --------------------------------------------------------------------------------

  private void file(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private String resolved(String specifier) {
    try {
      return String.valueOf(
          new NodeModules(site).resolve(specifier, "https://localhost/importer.js"));
    } catch (IllegalArgumentException refused) {
      return String.valueOf(refused.getMessage()).replaceFirst(":.*", "");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "plain, https://localhost/node_modules/plain/i.mjs",
    "workspace, https://localhost/packages/workspace/i.mjs",
    "stored, https://localhost/node_modules/.store/stored@1/node_modules/stored/i.mjs",
    "global, 'global' leads out of root",
    "file, 'file' leads out of root",
    "manifest, root/node_modules/manifest/package.json' leads out of root",
    "main-absolute, package 'main-absolute' has no \"exports\"",
    "main-above, package 'main-above' has no \"exports\"",
    "main-link, package 'main-link' has no \"exports\"",
    "exports-above, './../../../secret.mjs' is no path in the package root/node_modules/exports-above",
  })
  void packages_may_be_links_within_the_root_only(String specifier, String expected)
      throws IOException {
    String exports = "{\"exports\": \"./i.mjs\"}";
    file("secret.mjs", "SECRET");
    file("outside/i.mjs", "SECRET");
    file("outside/package.json", exports);
    for (String own :
        List.of(
            "root/node_modules/plain",
            "root/packages/workspace",
            "root/node_modules/.store/stored@1/node_modules/stored")) {
      file(own + "/package.json", exports);
      file(own + "/i.mjs", "");
    }
    link("node_modules/workspace", Path.of("../packages/workspace"));
    link("node_modules/stored", Path.of(".store/stored@1/node_modules/stored"));
    link("node_modules/global", folder.resolve("outside"));
    file("root/node_modules/file/package.json", exports);
    link("node_modules/file/i.mjs", folder.resolve("secret.mjs"));
    file("root/node_modules/manifest/i.mjs", "");
    link("node_modules/manifest/package.json", folder.resolve("outside/package.json"));
    String main = "{\"main\": \"%s\"}";
    file(
        "root/node_modules/main-absolute/package.json",
        main.formatted(folder.resolve("secret.mjs")));
    file("root/node_modules/main-above/package.json", main.formatted("../../../secret.mjs"));
    file("root/node_modules/main-link/package.json", main.formatted("m.mjs"));
    link("node_modules/main-link/m.mjs", folder.resolve("secret.mjs"));
    file(
        "root/node_modules/exports-above/package.json", "{\"exports\": \"./../../../secret.mjs\"}");
    assertEquals(
        expected,
        resolved(specifier).replaceFirst("^'(root/)", "$1").replaceFirst("(\"exports\").*", "$1"));
  }
}
