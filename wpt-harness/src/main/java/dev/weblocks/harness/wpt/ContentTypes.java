package dev.weblocks.harness.wpt;

import java.util.Map;

/** The default {@code Content-Type} values of WPT's server, by file extension. */
final class ContentTypes {

  private static final Map<String, String> BY_EXTENSION =
      Map.ofEntries(
          Map.entry("avif", "image/avif"),
          Map.entry("bmp", "image/bmp"),
          Map.entry("css", "text/css"),
          Map.entry("event_stream", "text/event-stream"),
          Map.entry("gif", "image/gif"),
          Map.entry("htm", "text/html"),
          Map.entry("html", "text/html"),
          Map.entry("jpeg", "image/jpeg"),
          Map.entry("jpg", "image/jpeg"),
          Map.entry("js", "text/javascript"),
          Map.entry("json", "application/json"),
          Map.entry("m4a", "audio/mp4"),
          Map.entry("m4v", "video/mp4"),
          Map.entry("manifest", "text/cache-manifest"),
          Map.entry("md", "text/plain"),
          Map.entry("mjs", "text/javascript"),
          Map.entry("mp3", "audio/mpeg"),
          Map.entry("mp4", "video/mp4"),
          Map.entry("oga", "audio/ogg"),
          Map.entry("ogg", "video/ogg"),
          Map.entry("ogv", "video/ogg"),
          Map.entry("otf", "font/otf"),
          Map.entry("png", "image/png"),
          Map.entry("svg", "image/svg+xml"),
          Map.entry("ttf", "font/ttf"),
          Map.entry("txt", "text/plain"),
          Map.entry("vtt", "text/vtt"),
          Map.entry("wasm", "application/wasm"),
          Map.entry("wav", "audio/x-wav"),
          Map.entry("weba", "audio/webm"),
          Map.entry("webm", "video/webm"),
          Map.entry("woff", "font/woff"),
          Map.entry("woff2", "font/woff2"),
          Map.entry("xht", "application/xhtml+xml"),
          Map.entry("xhtm", "application/xhtml+xml"),
          Map.entry("xhtml", "application/xhtml+xml"),
          Map.entry("xml", "application/xml"),
          Map.entry("xpi", "application/x-xpinstall"));

  private ContentTypes() {}

  static String of(String path) {
    String extension = path.substring(path.lastIndexOf('.') + 1);
    return BY_EXTENSION.getOrDefault(extension, "application/octet-stream");
  }
}
