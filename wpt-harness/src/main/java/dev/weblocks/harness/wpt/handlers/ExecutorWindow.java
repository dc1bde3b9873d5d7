package dev.weblocks.harness.wpt.handlers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.Map;

/** The handler for the page that remote-context-helper.js opens to run functions in. */
final class ExecutorWindow implements Handler {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Override
  public Reply handle(Request request, Stash stash) {
    StringBuilder page = new StringBuilder("<!DOCTYPE HTML>\n");
    // The content may also become a document with another URL, such as a blob URL.
    page.append("<base href=\"").append(Ascii.escapeHtml(request.url())).append("\">\n");
    for (String own :
        List.of(
            "/common/dispatcher/dispatcher.js", "./executor-common.js", "./executor-window.js")) {
      appendScript(page, own);
    }
    for (Map.Entry<String, String> parameter : request.parameters()) {
      if (parameter.getKey().equals("script") && !parameter.getValue().isEmpty()) {
        appendScript(page, parameter.getValue());
      }
    }
    page.append("<body>\n<script>\nwindow.__requestHeaders = new Headers();\n");
    request
        .headersByName()
        .forEach((name, values) ->
            values.forEach(value ->
                page.append("window.__requestHeaders.append(")
                    .append(literal(name))
                    .append(", ")
                    .append(literal(value))
                    .append(");\n")));
    page.append("requestExecutor(")
        .append(literal(request.required("uuid")))
        .append(", ")
        .append(request.first("startOn").map(ExecutorWindow::literal).orElse("null"))
        .append(");\n</script>\n");
    Reply reply =
        Reply.EMPTY
            .withStatus(request.number("status", 200))
            .adding("Content-Type", "text/html")
            .withText(page.toString());
    return request.header("Sec-Popin-Context").orElse("").equals("partitioned")
        ? reply.adding("Popin-Policy", "partitioned=*")
        : reply;
  }

  private static void appendScript(StringBuilder page, String source) {
    page.append("<script src='").append(Ascii.escapeHtml(source)).append("'></script>\n");
  }

  /** Returns a string literal that is safe in a script element. */
  private static String literal(String value) {
    try {
      return JSON.writeValueAsString(value).replace("<", "\\u003C");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a string cannot be written as JSON", e);
    }
  }
}
