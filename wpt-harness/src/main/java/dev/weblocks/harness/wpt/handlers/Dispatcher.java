package dev.weblocks.harness.wpt.handlers;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The handler with queues of messages between pages of any process or origin, one for each UUID: a
 * POST appends its body, a GET removes the first message.
 */
final class Dispatcher implements Handler {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  /** The stash path of all queues, whatever path a request has. */
  private static final String PATH = "/common/dispatcher";

  private record Queue(List<byte[]> messages) {
    static Queue of(@Nullable Object stashed) {
      return stashed instanceof Queue queue ? queue : new Queue(List.of());
    }

    Queue with(byte[] message) {
      List<byte[]> more = new ArrayList<>(messages);
      more.add(message);
      return new Queue(more);
    }
  }

  @Override
  public Reply handle(Request request, Stash stash) {
    Reply reply =
        Reply.EMPTY
            .adding("Access-Control-Allow-Credentials", "true")
            .adding("Access-Control-Allow-Methods", "OPTIONS, GET, POST")
            .adding("Access-Control-Allow-Headers", "Content-Type")
            .adding("Access-Control-Allow-Origin", request.header("Origin").orElse("*"))
            .adding(
                "Cache-Control",
                request.has("cacheable")
                    ? "max-age=31536000"
                    : "no-cache, no-store, must-revalidate");
    if (request.method().equals("OPTIONS")) { // a preflight
      return reply;
    }
    String id = request.required("uuid");
    if (request.has("show-headers")) {
      byte[] headers = json(request);
      stash.update(PATH, id, queue -> Queue.of(queue).with(headers));
      return reply;
    }
    if (request.method().equals("POST")) {
      stash.update(PATH, id, queue -> Queue.of(queue).with(request.body()));
      return reply.withText("done");
    }
    AtomicReference<byte[]> taken =
        new AtomicReference<>("not ready".getBytes(StandardCharsets.ISO_8859_1));
    stash.update(
        PATH,
        id,
        stashed -> {
          Queue queue = Queue.of(stashed);
          if (queue.messages().isEmpty()) {
            return queue;
          }
          taken.set(queue.messages().getFirst());
          return new Queue(queue.messages().subList(1, queue.messages().size()));
        });
    return reply.withBody(taken.get());
  }

  private static byte[] json(Request request) {
    ObjectNode headers = JSON.createObjectNode();
    request.headersByName().forEach((name, values) -> headers.put(name, String.join(", ", values)));
    try {
      return JSON.writeValueAsBytes(headers);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IllegalStateException("headers cannot be written as JSON", e);
    }
  }
}
