package dev.weblocks.harness.wpt;

import dev.weblocks.explore.text.HarmlessText;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.zip.ZipException;

/** A formatter of the reason why a file could not be read or written. */
public final class IoProblem {

  private IoProblem() {}

  /** Returns the reason on one line, without the name of the file. */
  public static String text(IOException problem) {
    return switch (problem) {
      case NoSuchFileException e -> "the file does not exist";
      case FileAlreadyExistsException e -> "a file of this name exists";
      case AccessDeniedException e -> "permission denied";
      case NotDirectoryException e -> "not a directory";
      case FileSystemException e when e.getReason() != null -> HarmlessText.line(e.getReason());
      case CharacterCodingException e -> "not UTF-8 text";
      case EOFException e -> "it is truncated";
      case ZipException e -> "not a gzip file: " + firstLine(e);
      default ->
          problem.getClass() == IOException.class
              ? firstLine(problem)
              : problem.getClass().getSimpleName() + ": " + firstLine(problem);
    };
  }

  private static String firstLine(IOException problem) {
    return HarmlessText.line(String.valueOf(problem.getMessage()).lines().findFirst().orElse(""));
  }
}
