package dev.weblocks.embed;

import java.util.Locale;
import java.util.Map;

/** The {@code Content-Type} of files, by file extension. */
final class MediaTypes {

  private static final Map<String, String> BY_EXTENSION =
      Map.ofEntries(
          Map.entry("avif", "image/avif"),
          Map.entry("bmp", "image/bmp"),
          Map.entry("css", "text/css;charset=utf-8"),
          Map.entry("csv", "text/csv;charset=utf-8"),
          Map.entry("gif", "image/gif"),
          Map.entry("htm", "text/html;charset=utf-8"),
          Map.entry("html", "text/html;charset=utf-8"),
          Map.entry("ico", "image/x-icon"),
          Map.entry("jpeg", "image/jpeg"),
          Map.entry("jpg", "image/jpeg"),
          Map.entry("js", "text/javascript;charset=utf-8"),
          Map.entry("json", "application/json"),
          Map.entry("map", "application/json"),
          Map.entry("md", "text/markdown;charset=utf-8"),
          Map.entry("mjs", "text/javascript;charset=utf-8"),
          Map.entry("mp3", "audio/mpeg"),
          Map.entry("mp4", "video/mp4"),
          Map.entry("otf", "font/otf"),
          Map.entry("pdf", "application/pdf"),
          Map.entry("png", "image/png"),
          Map.entry("svg", "image/svg+xml"),
          Map.entry("ttf", "font/ttf"),
          Map.entry("txt", "text/plain;charset=utf-8"),
          Map.entry("wasm", "application/wasm"),
          Map.entry("wav", "audio/wav"),
          Map.entry("webm", "video/webm"),
          Map.entry("webmanifest", "application/manifest+json"),
          Map.entry("webp", "image/webp"),
          Map.entry("woff", "font/woff"),
          Map.entry("woff2", "font/woff2"),
          Map.entry("xhtml", "application/xhtml+xml"),
          Map.entry("xml", "text/xml;charset=utf-8"));

  private MediaTypes() {}

  static String of(String fileName) {
    String extension = fileName.substring(fileName.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return BY_EXTENSION.getOrDefault(extension, "application/octet-stream");
  }
}
