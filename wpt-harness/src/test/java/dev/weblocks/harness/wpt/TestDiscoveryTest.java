package dev.weblocks.harness.wpt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weblocks.testing.Fetched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class TestDiscoveryTest {

  private final MiniatureWpt wpt = new MiniatureWpt();

  private List<WptTest> discover() throws IOException {
    return new TestDiscovery(wpt.root(), WptHosts.standard()).under("/");
  }

  private List<String> ids() throws IOException {
    return discover().stream().map(WptTest::id).toList();
  }

  private <T> Map<String, T> byId(Function<WptTest, T> value) throws IOException {
    return discover().stream()
        .collect(Collectors.toMap(WptTest::id, value, (a, b) -> a, TreeMap::new));
  }

  @Test
  void any_js_file_without_global_line_runs_in_window_and_dedicated_worker() throws IOException {
    wpt.file("area/plain.any.js", "test(() => {});");

    assertEquals(List.of("/area/plain.any.html", "/area/plain.any.worker.html"), ids());
  }

  @Test
  void global_keywords_select_scopes_and_keyword_worker_selects_three_scopes() throws IOException {
    wpt.file("area/g.https.any.js", "// META: global=window-module, worker , jsshell, nonsense");

    assertEquals(
        List.of(
            "/area/g.https.any.serviceworker.html",
            "/area/g.https.any.sharedworker.html",
            "/area/g.https.any.window-module.html",
            "/area/g.https.any.worker.html"),
        ids());
  }

  @Test
  void shadowrealm_selects_six_globals_and_adds_https_where_needed() throws IOException {
    wpt.file("area/s.any.js", "// META: global=shadowrealm");

    List<String> ids = ids();
    assertEquals(6, ids.size());
    assertTrue(ids.contains("/area/s.https.any.shadowrealm-in-serviceworker.html"), ids.toString());
    assertTrue(ids.contains("/area/s.any.shadowrealm-in-window.html"), ids.toString());
  }

  @Test
  void https_flag_is_not_repeated_if_the_file_name_has_it() throws IOException {
    wpt.file("area/s.https.any.js", "// META: global=shadowrealm-in-serviceworker");

    assertEquals(List.of("/area/s.https.any.shadowrealm-in-serviceworker.html"), ids());
  }

  @Test
  void only_the_first_global_line_of_the_leading_meta_comments_counts() throws IOException {
    wpt.file(
        "area/first.any.js",
        "// META: global=window",
        "// META: global=worker",
        "",
        "// META: timeout=long");

    assertEquals(Map.of("/area/first.any.html", TestTimeout.NORMAL), byId(WptTest::timeout));
  }

  @Test
  void each_variant_is_a_separate_test() throws IOException {
    wpt.file(
        "area/v.window.js",
        "// META: title=Variants",
        "// META: variant=?one",
        "// META: variant=?two=2",
        "// META: timeout=long");

    assertEquals(
        Map.of(
            "/area/v.window.html?one",
            TestTimeout.LONG,
            "/area/v.window.html?two=2",
            TestTimeout.LONG),
        byId(WptTest::timeout));
  }

  @Test
  void flags_in_the_file_name_determine_scheme_host_and_support() throws IOException {
    wpt.file("area/a.any.js", "// META: global=window")
        .file("area/b.https.any.js", "// META: global=window")
        .file("area/c.www.any.js", "// META: global=window")
        .file("area/d.any.js", "// META: global=serviceworker")
        .file("area/e.h2.any.js", "// META: global=window")
        .file("area/with-dash.https.any.js", "// META: global=window");

    assertEquals(
        Map.of(
            "/area/a.any.html", "http://web-platform.test:8000/area/a.any.html",
            "/area/b.https.any.html", "https://web-platform.test:8443/area/b.https.any.html",
            "/area/c.www.any.html", "http://www.web-platform.test:8000/area/c.www.any.html",
            "/area/d.any.serviceworker.html",
                "https://web-platform.test:8443/area/d.any.serviceworker.html",
            "/area/e.h2.any.html", "http://web-platform.test:8000/area/e.h2.any.html",
            "/area/with-dash.https.any.html",
                "https://web-platform.test:8443/area/with-dash.https.any.html"),
        byId(WptTest::url));
    Map<String, Boolean> supported = byId(WptTest::supported);
    assertEquals(true, supported.get("/area/a.any.html"));
    assertEquals(false, supported.get("/area/e.h2.any.html"));
    assertEquals(true, supported.get("/area/d.any.serviceworker.html"));
  }

  @Test
  void unsupported_tests_are_listed_with_their_reason() throws IOException {
    wpt.file("area/look-manual.html", "<p>look")
        .file("area/look.html", "<link rel=match href=look-ref.html>")
        .file("area/crashtests/look.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
        .file(
            "area/page.xhtml",
            "<html xmlns='http://www.w3.org/1999/xhtml'>",
            "<script src='/resources/testharness.js'/></html>");

    assertEquals(
        Map.of(
            "/area/look-manual.html", "manual tests need a person",
            "/area/look.html", "reftests need rendering",
            "/area/crashtests/look.svg", "there is no parser for pages in XML",
            "/area/page.xhtml", "there is no parser for pages in XML"),
        byId(test -> String.valueOf(test.notSupported())));
  }

  @Test
  void elements_of_pages_in_xml_are_found_by_namespace() throws IOException {
    wpt.file(
            "area/prefix.svg",
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:h='http://www.w3.org/1999/xhtml'>",
            "<h:meta name='timeout' content='long'/>",
            "<h:script src='/resources/testharness.js'/></svg>")
        .file(
            "area/reftest.svg",
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:html='http://www.w3.org/1999/xhtml'>",
            "<html:link rel='match' href='ref.svg'/></svg>")
        .file(
            "area/look.svg",
            "<svg xmlns='http://www.w3.org/2000/svg'>",
            "<h:link xmlns:h='http://www.w3.org/1999/xhtml' rel='help' href='spec'/></svg>")
        .file(
            "area/no-test.svg",
            "<svg xmlns='http://www.w3.org/2000/svg'>",
            "<script src='/resources/testharness.js'/></svg>")
        .file(
            "area/no-html.xml",
            "<root xmlns:h='urn:other'><h:script src='/resources/testharness.js'/></root>");

    assertEquals(
        Map.of(
            "/area/look.svg", "visual tests need rendering",
            "/area/prefix.svg", "there is no parser for pages in XML",
            "/area/reftest.svg", "reftests need rendering"),
        byId(test -> String.valueOf(test.notSupported())));
    assertEquals(TestTimeout.LONG, byId(WptTest::timeout).get("/area/prefix.svg"));
  }

  @Test
  void inputs_of_conformance_checkers_are_no_tests() throws IOException {
    wpt.file("conformance-checkers/html/a-is-valid.html", "<link rel=help href=spec>")
        .file("conformance-checkers/html/b.html", "<link rel=help href=spec>")
        .file("conformance-checkers/html/crashtests/c.html", "<p>")
        .file("conformance-checkers/html/d-manual.html", "<p>")
        .file("area/conformance-checkers/e.html", "<link rel=help href=spec>");

    assertEquals(
        List.of("/area/conformance-checkers/e.html", "/conformance-checkers/html/d-manual.html"),
        ids());
  }

  @Test
  void pages_that_load_the_harness_from_its_standard_path_are_tests() throws IOException {
    wpt.file(
            "area/page.html",
            "<meta name=timeout content=long>",
            "<meta name=variant content='?x'>",
            "<script src=/resources/testharness.js></script>")
        .file("area/other.html", "<script src=testharness.js></script>")
        .file(
            "area/page.xhtml",
            "<html xmlns='http://www.w3.org/1999/xhtml'>",
            "<script src='/resources/testharness.js'/></html>")
        .file("area/same.html", "<link rel=match href=same-ref.html>")
        .file("area/same-ref.html", "<link rel=help href='https://example.org/spec'>")
        .file("area/shown.html", "<link rel=help href='https://example.org/spec'>")
        .file("area/crashtests/boom.html", "<p>")
        .file("area/boom-crash.html", "<p>");

    assertEquals(
        Map.of(
            "/area/page.html?x", TestKind.PAGE,
            "/area/page.xhtml", TestKind.PAGE,
            "/area/same.html", TestKind.REFTEST,
            "/area/shown.html", TestKind.VISUAL,
            "/area/crashtests/boom.html", TestKind.CRASHTEST,
            "/area/boom-crash.html", TestKind.CRASHTEST),
        byId(WptTest::kind));
    assertEquals(TestTimeout.LONG, byId(WptTest::timeout).get("/area/page.html?x"));
  }

  @Test
  void pages_and_window_scripts_and_crashtests_are_supported() throws IOException {
    wpt.file("area/page.https.html", "<script src=/resources/testharness.js></script>")
        .file("area/page.htm", "<script src=/resources/testharness.js></script>")
        .file("area/w.www.window.js", "done();")
        .file("area/crashtests/boom.https.html", "<p>");

    assertEquals(
        Map.of(
            "/area/page.https.html", "https://web-platform.test:8443/area/page.https.html",
            "/area/page.htm", "http://web-platform.test:8000/area/page.htm",
            "/area/w.www.window.html", "http://www.web-platform.test:8000/area/w.www.window.html",
            "/area/crashtests/boom.https.html",
                "https://web-platform.test:8443/area/crashtests/boom.https.html"),
        byId(WptTest::url));
    assertEquals(Set.of(true), Set.copyOf(byId(WptTest::supported).values()));
  }

  @Test
  void support_folders_and_the_root_contain_no_tests() throws IOException {
    String page = "<script src=/resources/testharness.js></script>";
    wpt.file("root.any.js", "")
        .file("common/x.any.js", "")
        .file("area/resources/x.any.js", "")
        .file("area/support/deep/x.html", page)
        .file("area/tools/x.html", page)
        .file(".hidden/x.any.js", "")
        .file("area/common/real.any.js", "// META: global=window");

    assertEquals(List.of("/area/common/real.any.html"), ids());
  }

  @Test
  void a_path_inside_a_support_folder_has_no_tests_either() throws IOException {
    wpt.file("area/resources/deep/x.any.js", "");

    assertEquals(
        List.of(),
        new TestDiscovery(wpt.root(), WptHosts.standard()).under("/area/resources/deep"));
  }

  /** Uses the fetched files; {@code scripts/fetch-wpt} fetches them before all tests. */
  @Test
  void every_pinned_test_of_web_locks_is_supported() throws IOException {
    List<WptTest> tests = new TestDiscovery(Fetched.wpt(), WptHosts.standard()).under("/web-locks");

    assertEquals(List.of(), tests.stream().filter(test -> !test.supported()).toList());
    assertEquals(
        Map.of(TestKind.PAGE, 12L, TestKind.CRASHTEST, 5L),
        tests.stream()
            .filter(test -> !test.kind().isAny())
            .collect(Collectors.groupingBy(WptTest::kind, Collectors.counting())));
    assertEquals(78, tests.size());
  }

  @Test
  void files_that_cannot_be_read_are_named_and_the_others_are_found(@TempDir Path dir)
      throws Exception {
    MiniatureWpt real = new MiniatureWpt(dir).file("area/good.window.js", "");
    Path area = dir.resolve("area");
    assumeTrue(
        new ProcessBuilder("mkfifo", area.resolve("pipe.window.js").toString()).start().waitFor()
            == 0);
    Files.createSymbolicLink(area.resolve("device.any.js"), Path.of("/dev/zero"));
    Files.createSymbolicLink(area.resolve("gone.html"), Path.of("nowhere"));
    Files.createSymbolicLink(area.resolve("loop.html"), Path.of("loop.html"));

    Map<String, String> found = new TreeMap<>();
    for (WptTest test : new TestDiscovery(real.root(), WptHosts.standard()).under("/area/")) {
      found.put(test.id(), String.valueOf(test.notSupported()));
    }

    assertEquals(
        Map.of(
            "/area/good.window.html",
            "null",
            "/area/device.any.js",
            "/area/device.any.js cannot be read: it is a pipe or a device, not a file",
            "/area/pipe.window.js",
            "/area/pipe.window.js cannot be read: it is a pipe or a device, not a file",
            "/area/gone.html",
            "/area/gone.html cannot be read: the symbolic link leads to a file that does not exist",
            "/area/loop.html",
            found.get("/area/loop.html")),
        found);
    assertTrue(found.get("/area/loop.html").startsWith("/area/loop.html cannot be read: "));
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // quadratic time: 4 minutes
  void many_variants_are_found_in_linear_time() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 60_000; i++) {
      lines.append("// META: variant=?").append(i).append('\n');
    }
    wpt.file("area/v.any.js", lines.toString());

    assertEquals(120_000, ids().size());
  }
}
