package dev.weblocks.wpt.report;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.zip.ZipException;

/** Describes for users why a file could not be read or written. */
public final class IoProblem {

  private IoProblem() {}

  /** Returns the reason on one line, without the name of the file. */
  public static String text(IOException problem) {
    return switch (problem) {
      case NoSuchFileException e -> "there is no such file";
      case AccessDeniedException e -> "the permission is missing";
      case NotDirectoryException e -> "no directory";
      case FileSystemException e when e.getReason() != null -> Visible.line(e.getReason());
      case CharacterCodingException e -> "no text in UTF-8";
      case EOFException e -> "it is cut off, the end is missing";
      case ZipException e -> "no file of gzip: " + firstLine(e);
      default ->
          problem.getClass() == IOException.class
              ? firstLine(problem)
              : problem.getClass().getSimpleName() + ": " + firstLine(problem);
    };
  }

  private static String firstLine(IOException problem) {
    return Visible.line(String.valueOf(problem.getMessage()).lines().findFirst().orElse(""));
  }
}
