package dev.weblocks.harness.wpt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestManifestTest {

  private final MiniatureWpt wpt =
      new MiniatureWpt()
          .file("area/one.https.any.js", "")
          .file("area/two.any.js", "// META: variant=?a", "// META: variant=?b")
          .file("area/resources/help.js", "")
          .file("area/typed.any.ts", "")
          .file("area-two/three.any.js", "");
  private final TestManifest manifest = new TestManifest(wpt.root(), WptHosts.standard());

  private List<String> select(String... selectors) throws Exception {
    return manifest.select(List.of(selectors)).stream().map(WptTest::id).toList();
  }

  private String failureOf(String selector) {
    return String.valueOf(
        assertThrows(TestManifest.NoSuchTestException.class, () -> select(selector)).getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"area", "area/", "/area", "/area/", "./area"})
  void directory_selects_only_the_tests_below_it(String selector) throws Exception {
    assertEquals(6, select(selector).size());
  }

  @Test
  void a_source_file_selects_all_its_tests() throws Exception {
    assertEquals(
        List.of("/area/one.https.any.html", "/area/one.https.any.worker.html"),
        select("area/one.https.any.js"));
  }

  @Test
  void id_selects_one_test_and_id_without_variant_selects_all_its_variants() throws Exception {
    assertEquals(List.of("/area/two.any.html?b"), select("/area/two.any.html?b"));
    assertEquals(
        List.of("/area/two.any.html?a", "/area/two.any.html?b"), select("area/two.any.html"));
  }

  @Test
  void without_selectors_all_tests_are_selected_once() throws Exception {
    assertEquals(8, select().size());
    assertEquals(8, select("/", "area", "area/one.https.any.js").size());
  }

  @Test
  void misspelt_name_is_refused_with_similar_names() {
    assertEquals(
        "unknown test 'area/one.http.any.js'; similar names: /area/one.https.any.js,"
            + " /area/one.https.any.html, /area/two.any.js",
        failureOf("area/one.http.any.js"));
  }

  @Test
  void misspelt_directory_is_refused_with_similar_names() {
    assertEquals("unknown test 'aera'; similar names: /area/", failureOf("aera"));
  }

  @Test
  void file_without_tests_is_distinguished_from_a_missing_file() {
    assertEquals("'area/resources/help.js' contains no test", failureOf("area/resources/help.js"));
    assertEquals(
        "'area/typed.any.ts' contains no test: it is TypeScript by its name, and only JavaScript"
            + " runs: strip its types, such as with npx esbuild typed.any.ts"
            + " --outfile=typed.any.js",
        failureOf("area/typed.any.ts"));
    assertEquals(
        "unknown test '/../etc/passwd-file'; --list shows all", failureOf("/../etc/passwd-file"));
  }
}
