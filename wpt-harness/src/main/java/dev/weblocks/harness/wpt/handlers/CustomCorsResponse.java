package dev.weblocks.harness.wpt.handlers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The handler that answers with the {@code status}, {@code headers} and {@code content} of the
 * query, each given as JSON.
 */
final class CustomCorsResponse implements Handler {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Override
  public Reply handle(Request request, Stash stash) {
    Reply reply = Reply.EMPTY.withStatus(json(request, "status", "200").intValue());
    for (Map.Entry<String, JsonNode> header : json(request, "headers", "{}").properties()) {
      reply = reply.setting(header.getKey(), header.getValue().asText());
    }
    // The default content is also a script, one that does nothing.
    String content = json(request, "content", "\"/* CustomCorsResponse.py content */\"").asText();
    return reply.withBody(content.getBytes(StandardCharsets.UTF_8));
  }

  private static JsonNode json(Request request, String name, String otherwise) {
    byte[] text = request.first(name, otherwise).getBytes(StandardCharsets.ISO_8859_1);
    try {
      return JSON.readTree(new String(text, StandardCharsets.UTF_8));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "'" + name + "' is not JSON: " + e.getOriginalMessage(), e);
    }
  }
}
