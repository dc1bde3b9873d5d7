package dev.weblocks.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlobUrlTest {

  private static final String FETCH =
      """
      const show = (...args) => fetch(...args).then(
        async r => console.log(r.type, r.status, r.headers.get('content-type'), r.headers.get('content-length'), await r.text()),
        e => console.log(e.name));
      """;

  @Test
  void blob_url_contains_origin_and_uuid() {
    String url =
        Scenario.logOf(
                "const u = URL.createObjectURL(new Blob()); console.log(u, new URL(u).origin)")
            .getFirst();
    assertTrue(
        url.matches(
            "blob:https://one\\.test/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12} https://one\\.test"),
        url);
  }

  @Test
  void blob_is_fetched_with_its_type() {
    assertEquals(
        List.of("basic 200 a/b 4 text", "basic 200  1 x"),
        Scenario.logOf(
            FETCH
                + """
                show(URL.createObjectURL(new Blob(['text'], {type: 'A/B'})) + '#fragment');
                show(URL.createObjectURL(new Blob(['x'])));
                """));
  }

  @Test
  void range_header_fetches_part_of_a_blob() {
    assertEquals(
        List.of("basic 206  2 bc", "basic 206  3 bcd", "basic 206  2 cd", "TypeError", "TypeError"),
        Scenario.logOf(
            FETCH
                + """
                const url = URL.createObjectURL(new Blob(['abcd']));
                (async () => {
                  for (const range of ['bytes=1-2', 'bytes= 1 - 9', 'bytes=-2', 'bytes=4-', 'lines=1-2']) {
                    await show(url, {headers: {Range: range}});
                  }
                })();
                """));
  }

  @Test
  void only_get_of_the_exact_url_fetches_the_blob() {
    assertEquals(
        List.of("TypeError", "TypeError", "TypeError"),
        Scenario.logOf(
            FETCH
                + """
                const url = URL.createObjectURL(new Blob(['abcd']));
                show(url, {method: 'HEAD'});
                show(url + '?');
                show(url + '/');
                """));
  }

  @Test
  void revoked_url_fails_later_requests_only() {
    assertEquals(
        List.of("TypeError", "basic 200  1 b", "basic 200  1 b", "basic 200  1 b"),
        Scenario.logOf(
            FETCH
                + """
                const url = URL.createObjectURL(new Blob(['b']));
                URL.revokeObjectURL(url + '#fragment');
                URL.revokeObjectURL('no URL');
                URL.revokeObjectURL('https://one.test/');
                const request = new Request(url);
                show(url);
                URL.revokeObjectURL(url);
                show(url);
                show(request);
                show(request.clone());
                """));
  }

  @Test
  void blob_url_becomes_invalid_when_the_worker_that_created_it_ends() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/worker.js", "postMessage(URL.createObjectURL(new Blob(['b'])));")
          .window(
              FETCH
                  + """
                  const worker = new Worker('/worker.js');
                  worker.onmessage = async e => {
                    await show(e.data);
                    worker.terminate();
                    setTimeout(() => show(e.data), 100);
                  };
                  """);
      assertEquals(List.of("basic 200  1 b", "TypeError"), scenario.run());
    }
  }

  @Test
  void other_origins_can_neither_fetch_nor_revoke_a_blob_url() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window(
          FETCH
              + """
              const url = URL.createObjectURL(new Blob(['b']));
              console.log(url);
              setTimeout(() => show(url), 100);
              """);
      String url = scenario.runFor(10).log().getFirst();
      scenario.windowAt(
          "https://two.test",
          FETCH
              + "URL.revokeObjectURL('%s'); show('%s'); show('%s', {mode: 'no-cors'});"
                  .formatted(url, url, url));
      assertEquals(
          List.of("TypeError", "TypeError", "basic 200  1 b"), scenario.run().subList(1, 4));
    }
  }

  @Test
  void script_may_be_loaded_from_a_blob_url() {
    assertEquals(
        List.of("from a worker"),
        Scenario.logOf(
            """
            const imported = URL.createObjectURL(
                new Blob(['var text = "from a worker"'], {type: 'text/javascript'}));
            const blob = new Blob(['importScripts("' + imported + '"); console.log(text); close();']);
            const url = URL.createObjectURL(blob);
            new Worker(url);
            URL.revokeObjectURL(url);
            """));
  }
}
