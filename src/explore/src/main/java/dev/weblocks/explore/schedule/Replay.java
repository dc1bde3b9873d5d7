package dev.weblocks.explore.schedule;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32;

/**
 * A schedule that can be stored as a string and repeated. The string is {@code w1-}, where 1 is the
 * version, followed by these bytes in URL-safe Base64 without padding. Numbers have seven bits per
 * byte, lowest first; the high bit is set in all bytes but the last.
 *
 * <ol>
 *   <li>a byte: 1 if timers may fire while other steps are possible, otherwise 0;
 *   <li>a byte: the kind of the finding, by its ordinal in {@link Finding.Kind};
 *   <li>a number: the number of steps up to the finding;
 *   <li>a number: the number of choices in these steps;
 *   <li>two bytes: a checksum of the ready actors at all choices;
 *   <li>a number: the number of given choices; all later ones are the default, see {@link
 *       Point#onward()};
 *   <li>for each given choice: a number, the index in {@link Point#ready()}, and a byte, a checksum
 *       of the ready actors;
 *   <li>four bytes: the CRC-32 of all bytes before.
 * </ol>
 *
 * @param earlyTimers whether timers may fire while other steps are possible
 * @param kind kind of the finding
 * @param steps number of steps up to the finding
 * @param choices number of choices in these steps
 * @param check checksum of the ready actors at all choices, 16 bits
 * @param given the first choices; all later ones are the default
 */
public record Replay(
    boolean earlyTimers, Finding.Kind kind, int steps, int choices, int check, List<Given> given) {

  /** A choice: an index in {@link Point#ready()}, and an 8-bit checksum of the ready actors. */
  public record Given(int index, int check) {}

  private static final String FAMILY = "w";
  private static final String PREFIX = FAMILY + "1-";
  private static final int CHECK_START = 1;

  /** Copies the list. */
  public Replay {
    given = List.copyOf(given);
  }

  static Replay of(Execution execution, boolean earlyTimers) {
    Finding finding = execution.finding();
    if (finding == null) {
      throw new IllegalArgumentException("the execution has no finding");
    }
    return new Replay(
        earlyTimers,
        finding.kind(),
        execution.steps().size(),
        execution.choices().size(),
        checkOf(execution.choices()),
        execution.givenChoices().stream()
            .map(choice -> new Given(choice.index(), choice.print() & 0xff))
            .toList());
  }

  static int checkOf(List<Choice> choices) {
    int check = CHECK_START;
    for (Choice choice : choices) {
      check = 31 * check + choice.print();
    }
    return (check ^ check >>> 16) & 0xffff;
  }

  /** Returns the replay string. */
  public String text() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(earlyTimers ? 1 : 0);
    out.write(kind.ordinal());
    writeNumber(out, steps);
    writeNumber(out, choices);
    out.write(check >>> 8);
    out.write(check);
    writeNumber(out, given.size());
    for (Given choice : given) {
      writeNumber(out, choice.index);
      out.write(choice.check);
    }
    long crc = crcOf(out.toByteArray(), out.size());
    for (int shift = 24; shift >= 0; shift -= 8) {
      out.write((int) (crc >>> shift));
    }
    return PREFIX + encoded(out.toByteArray());
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static void writeNumber(ByteArrayOutputStream out, int number) {
    int left = number;
    while (left > 0x7f) {
      out.write(left & 0x7f | 0x80);
      left >>>= 7;
    }
    out.write(left);
  }

  private static long crcOf(byte[] bytes, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, length);
    return crc.getValue();
  }

  /**
   * Parses a string.
   *
   * @throws ReplayException if it is not a replay string, is damaged, or has an unsupported version
   */
  public static Replay parse(String text) {
    if (!text.startsWith(PREFIX)) {
      throw new ReplayException(
          text.matches(FAMILY + "\\d+-.*")
              ? "has version "
                  + text.substring(FAMILY.length(), text.indexOf('-'))
                  + ", and only version 1 is supported: explore again"
              : "is not a replay string; use one that an exploration prints, which begins with "
                  + PREFIX);
    }
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(text.substring(PREFIX.length()));
    } catch (IllegalArgumentException noBase64) {
      throw damaged();
    }
    if (!text.equals(PREFIX + encoded(bytes))) { // unused bits must be zero
      throw damaged();
    }
    int end = bytes.length - 4;
    if (end < 0) {
      throw damaged();
    }
    long crc = 0;
    for (int i = end; i < bytes.length; i++) {
      crc = crc << 8 | bytes[i] & 0xff;
    }
    if (crc != crcOf(bytes, end)) {
      throw damaged();
    }
    return new Reader(bytes, end).read();
  }

  private static ReplayException damaged() {
    return new ReplayException("is damaged; copy the whole string");
  }

  /** The parser of bytes with a correct CRC, which may still be malformed on purpose. */
  private static final class Reader {
    private final byte[] bytes;
    private final int end;
    private int at;

    Reader(byte[] bytes, int end) {
      this.bytes = bytes;
      this.end = end;
    }

    Replay read() {
      int flags = octet();
      int kind = octet();
      int steps = number();
      int choices = number();
      int check = octet() << 8 | octet();
      int count = number();
      if (flags > 1 || kind >= Finding.Kind.values().length || count > choices) {
        throw damaged();
      }
      List<Given> given = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int index = number();
        given.add(new Given(index, octet()));
      }
      if (at != end) {
        throw damaged();
      }
      return new Replay(flags == 1, Finding.Kind.values()[kind], steps, choices, check, given);
    }

    private int octet() {
      if (at >= end) {
        throw damaged();
      }
      return bytes[at++] & 0xff;
    }

    private int number() {
      long number = 0;
      for (int shift = 0; shift <= 28; shift += 7) {
        int next = octet();
        number |= (long) (next & 0x7f) << shift;
        if (next <= 0x7f) {
          if (number > Integer.MAX_VALUE) {
            throw damaged();
          }
          return (int) number;
        }
      }
      throw damaged();
    }
  }

  /** Throws a {@link ReplayException} if a run that has ended does not match the recorded run. */
  void requireFit(int stepsTaken, List<Choice> made) {
    if (stepsTaken != steps || made.size() != choices || checkOf(made) != check) {
      throw new ReplayException(
          "does not fit: "
              + stepsTaken
              + " steps with "
              + made.size()
              + " choices were taken, but the string was recorded with "
              + steps
              + " steps with "
              + choices
              + " choices"
              + (stepsTaken == steps && made.size() == choices ? " between other steps" : "")
              + "; use the same scripts and options");
    }
  }

  /** Returns a chooser that follows this schedule; it throws if the run does not match. */
  ReplayChooser chooser() {
    return new ReplayChooser(this);
  }
}
