package dev.weblocks.harness.wpt.handlers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * The handler that removes and returns the value stored under {@code key}, as JSON; null if there
 * is none.
 */
final class FetchStashTake implements Handler {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  @Override
  public Reply handle(Request request, Stash stash) {
    Object value = stash.take(request.directory(), request.required("key"));
    try {
      return Reply.EMPTY
          .adding("Access-Control-Allow-Origin", "*")
          .adding("Content-Type", "application/json")
          .withText(JSON.writeValueAsString(value));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a stored string cannot be written as JSON", e);
    }
  }
}
