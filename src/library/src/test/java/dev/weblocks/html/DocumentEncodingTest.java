package dev.weblocks.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.Scenario;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Encodings of documents, their scripts and the queries of their URLs. */
class DocumentEncodingTest {

  private static final String LOG =
      "<body>%s<script>console.log(document.characterSet + ' ' + document.body.firstChild.data)</script>";

  private static ResourceResponse response(String path, String contentType, byte[] body) {
    return new ResourceResponse(
        Scenario.ORIGIN + path, 200, "OK", List.of(Map.entry("Content-Type", contentType)), body);
  }

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static List<String> logOf(String contentType, byte[] page) {
    try (Scenario scenario = new Scenario(1)) {
      scenario.response(Scenario.ORIGIN + "/page.html", response("/page.html", contentType, page));
      return scenario.open("/page.html").run();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text/html|<meta charset=windows-1251>|windows-1251 \u0436",
        "text/html|<META a='>' CharSet = \"WINDOWS-1251\" />|windows-1251 \u0436",
        "text/html;charset=koi8-r|<meta charset=windows-1251>|KOI8-R \u0424",
        "text/html;charset=nonsense|<meta charset=windows-1251>|windows-1251 \u0436",
        "text/html|<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>|windows-1251 \u0436",
        "text/html|<meta content='charset=windows-1251'>|windows-1252 \u00E6",
        "text/html|<!-- <meta charset=koi8-r> --><meta charset=windows-1251>|windows-1251 \u0436",
        "text/html|<title a='<meta charset=koi8-r>'></title><meta charset=x-user-defined>|windows-1252 \u00E6",
        "text/html|<meta charset=utf-16>|UTF-8 \uFFFD",
        "text/html|<meta charset=nonsense><meta charset=windows-1251>|windows-1251 \u0436",
        "text/html|<?xml version='1.0' encoding='windows-1251'?>|windows-1251 \u0436",
        "text/html|<meta charset|windows-1252 \u00E6",
        "text/html||windows-1252 \u00E6"
      })
  void encoding_comes_from_the_header_then_from_the_markup(
      String contentType, String markup, String expected) {
    byte[] page = latin1((markup == null ? "" : markup) + LOG.formatted("\u00E6"));
    assertEquals(List.of(expected), logOf(contentType, page));
  }

  @Test
  void declarations_after_1024_bytes_are_ignored() {
    byte[] page = latin1(" ".repeat(1005) + "<meta charset=koi8-r>" + LOG.formatted("\u00E6"));
    assertEquals(List.of("windows-1252 \u00E6"), logOf("text/html", page));
  }

  @Test
  void byte_order_mark_overrides_the_header() {
    byte[] page = ("\uFEFF" + LOG.formatted("\u00E6")).getBytes(StandardCharsets.UTF_16LE);
    assertEquals(List.of("UTF-16LE \u00E6"), logOf("text/html;charset=koi8-r", page));
  }

  @Test
  void frames_inherit_the_encoding_of_a_container_of_the_same_origin() {
    byte[] frame = latin1(LOG.formatted("\u00E6"));
    byte[] page =
        latin1(
            "<meta charset=koi8-r><iframe src=/frame.html></iframe>"
                + "<iframe src=https://other.example/frame.html></iframe>");
    try (Scenario scenario = new Scenario(1)) {
      String other = "https://other.example/frame.html";
      scenario
          .response(Scenario.ORIGIN + "/page.html", response("/page.html", "text/html", page))
          .response(Scenario.ORIGIN + "/frame.html", response("/frame.html", "text/html", frame))
          .response(
              other,
              new ResourceResponse(
                  other, 200, "OK", List.of(Map.entry("Content-Type", "text/html")), frame));
      assertEquals(
          List.of("KOI8-R \u0424", "windows-1252 \u00E6"),
          scenario.open("/page.html").run().stream().sorted().toList());
    }
  }

  @Test
  void documents_without_bytes_are_utf_8() {
    assertEquals(
        List.of("UTF-8 UTF-8 UTF-8 BackCompat CSS1Compat text/html"),
        Scenario.logOf(
            """
            const frame = document.head.appendChild(document.createElement('iframe'));
            const blank = frame.contentDocument;
            const made = document.implementation.createHTMLDocument();
            console.log([blank.characterSet, blank.charset, made.inputEncoding, blank.compatMode,
              made.compatMode, made.contentType].join(' '));
            """));
  }

  @Test
  void classic_scripts_follow_header_then_attribute_then_document() {
    byte[] script = latin1("console.log('\u00E6')");
    byte[] page =
        latin1(
            "<meta charset=koi8-r><script src=/plain.js></script>"
                + "<script charset=windows-1251 src=/plain.js></script>"
                + "<script charset=windows-1251 src=/header.js></script>");
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .response(Scenario.ORIGIN + "/page.html", response("/page.html", "text/html", page))
          .response(Scenario.ORIGIN + "/plain.js", response("/plain.js", "text/javascript", script))
          .response(
              Scenario.ORIGIN + "/header.js",
              response("/header.js", "text/javascript;charset=ibm866", script));
      assertEquals(List.of("\u0424", "\u0436", "\u0446"), scenario.open("/page.html").run());
    }
  }

  @Test
  void only_queries_are_in_the_encoding_of_the_document() {
    byte[] page =
        latin1(
            """
            <meta charset=windows-1252><script>
            const a = document.createElement('a');
            a.href = 'https://h/\u00E6?\u00E6\u0436#\u00E6';
            console.log(a.href);
            a.search = '\u00E6';
            console.log(a.search + ' ' + new URL(a.href + '\u00E6', location).search);
            a.href = 'ws://h/?\u00E6';
            console.log(a.search);
            history.replaceState(null, '', '?\u00E6');
            console.log(location.search);
            </script>
            """
                .replace("\u0436", "\\u0436"));
    assertEquals(
        List.of("https://h/%C3%A6?%E6%26%231078%3B#%C3%A6", "?%E6 ?%E6", "?%C3%A6", "?%E6"),
        logOf("text/html", page));
  }

  @Test
  void text_documents_have_a_type_and_an_encoding() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .response(
              Scenario.ORIGIN + "/t",
              response("/t", "text/plain;charset=gbk", latin1("\u00C4\u00E3")))
          .response(
              Scenario.ORIGIN + "/x",
              response(
                  "/x",
                  "application/xml",
                  latin1("<?xml version='1.0' encoding='koi8-r'?><a>\u00E6</a>")))
          .response(
              Scenario.ORIGIN + "/j",
              response("/j", "application/json", HexFormat.of().parseHex("22c3a622")));
      assertEquals(
          List.of(
              "GBK text/plain \u4F60",
              "KOI8-R application/xml \u0424",
              "UTF-8 application/json \"\u00E6\""),
          scenario
              .window(
                  """
                  (async () => {
                    for (const path of ['/t', '/x', '/j']) {
                      const frame = document.createElement('iframe');
                      frame.src = path;
                      await new Promise((done) => { frame.onload = done; document.head.append(frame); });
                      const d = frame.contentDocument;
                      console.log([d.characterSet, d.contentType, d.body.textContent.trim()].join(' '));
                    }
                  })();
                  """)
              .run());
    }
  }
}
