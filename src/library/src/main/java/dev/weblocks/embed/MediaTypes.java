package dev.weblocks.embed;

import java.util.Locale;

/** A table of the {@code Content-Type} of files, by file extension. */
final class MediaTypes {

  private MediaTypes() {}

  static String of(String fileName) {
    String extension = fileName.substring(fileName.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return switch (extension) {
      case "htm", "html" -> "text/html;charset=utf-8";
      case "js", "mjs" -> "text/javascript;charset=utf-8";
      case "css", "csv" -> "text/" + extension + ";charset=utf-8";
      case "md" -> "text/markdown;charset=utf-8";
      case "txt" -> "text/plain;charset=utf-8";
      case "avif", "bmp", "gif", "jpeg", "png", "webp" -> "image/" + extension;
      case "ico" -> "image/x-icon";
      case "jpg" -> "image/jpeg";
      case "svg" -> "image/svg+xml";
      case "mp3" -> "audio/mpeg";
      case "wav" -> "audio/wav";
      case "mp4", "webm" -> "video/" + extension;
      case "otf", "ttf", "woff", "woff2" -> "font/" + extension;
      case "pdf", "wasm", "xml" -> "application/" + extension;
      case "json", "map" -> "application/json";
      case "webmanifest" -> "application/manifest+json";
      case "xhtml" -> "application/xhtml+xml";
      default -> "application/octet-stream";
    };
  }
}
