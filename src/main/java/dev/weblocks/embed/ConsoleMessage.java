package dev.weblocks.embed;

/**
 * What script wrote to the console.
 *
 * @param level the function: {@code debug}, {@code error}, {@code info}, {@code log} or {@code
 *     warn}
 * @param text all arguments, separated by spaces
 * @param url of the document or worker
 */
public record ConsoleMessage(String level, String text, String url) {}
