package dev.weblocks.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.ibm.icu.text.IDNA;
import com.ibm.icu.text.Normalizer2;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Domain names to ASCII, compared with ICU4J of the release that the table is made from. */
class IdnaTest {

  /** The errors that the parameters of the URL Standard exclude. */
  private static final Set<IDNA.Error> NOT_CHECKED =
      EnumSet.of(
          IDNA.Error.EMPTY_LABEL,
          IDNA.Error.LABEL_TOO_LONG,
          IDNA.Error.DOMAIN_NAME_TOO_LONG,
          IDNA.Error.LEADING_HYPHEN,
          IDNA.Error.TRAILING_HYPHEN,
          IDNA.Error.HYPHEN_3_4);

  private static final IDNA ICU =
      IDNA.getUTS46Instance(IDNA.NONTRANSITIONAL_TO_ASCII | IDNA.CHECK_BIDI | IDNA.CHECK_CONTEXTJ);

  private static final Normalizer2 UTS46 =
      Normalizer2.getInstance(null, "uts46", Normalizer2.Mode.COMPOSE);

  /** Parts of domains that rules are about: joiners, viramas, digits, marks, Hangul, prefixes. */
  private static final String[] PARTS =
      ("a Z 0 - . \u3002 _ xn-- xn--4ca xn--mgba \u00e9 e\u0301 \u00df \u1e9e \u03c2 \u0130 \u00ad"
              + " \u200c \u200d \u094d \u0915 \u0628 \u0627 \u0644 \u064b \u0660 \u06f0 \u05d0"
              + " \u0301 \u0323 \u0338 \u1100 \u1161 \u11a8 \uac00 \uac01 \ufdfa \ud83d\ude00"
              + " \ud804\udd31 \ud804\udd27 \ud81b\udd63 \ud81b\udd67 \u2260 \uffff + !")
          .split(" ");

  private static @Nullable String icu(String domain) {
    IDNA.Info info = new IDNA.Info();
    String ascii = ICU.nameToASCII(domain, new StringBuilder(), info).toString();
    return NOT_CHECKED.containsAll(info.getErrors()) ? ascii : null;
  }

  private static String shown(String domain) {
    StringBuilder text = new StringBuilder();
    domain.codePoints().forEach(c -> text.append(String.format("%04X ", c)));
    return text.toString();
  }

  @Test
  void code_points_are_mapped_as_by_icu_alone_and_after_a_letter() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      boolean isAssigned = c < 0x34000 || c >> 12 == 0xE0; // of the others, some are enough
      if (c >= 0xD800 && c <= 0xDFFF || !isAssigned && c % 101 != 0) {
        continue;
      }
      String text = Character.toString(c);
      String expected = UTS46.normalize(text);
      assertEquals(
          expected.equals("\uFFFD") ? null : expected,
          IdnaTable.INSTANCE.mapAndNormalize(text),
          () -> shown(text));
      if (c >= 0x80) {
        assertEquals(icu("a" + text), Idna.toAscii("a" + text), () -> shown(text));
      }
    }
  }

  @Test
  void random_domains_are_converted_as_by_icu() {
    Random random = new Random(46);
    int valid = 0;
    for (int i = 0; i < 30_000; i++) {
      StringBuilder domain = new StringBuilder("\u00e9.");
      for (int length = 1 + random.nextInt(6); length > 0; length--) {
        domain.append(PARTS[random.nextInt(PARTS.length)]);
        if (random.nextInt(8) == 0) {
          int c = random.nextInt(0x20000);
          domain.appendCodePoint(c >= 0xD800 && c <= 0xDFFF ? 'x' : c);
        }
      }
      String text = domain.toString();
      String expected = icu(text);
      assertEquals(expected, Idna.toAscii(text), () -> shown(text));
      if (expected != null) {
        valid++;
        assertEquals(expected, Idna.toAscii(expected), () -> shown(text));
      }
    }
    assertTrue(valid > 5_000, valid + " valid domains");
  }

  @Test
  void labels_in_ascii_form_must_decode_to_another_normalized_label() {
    assertEquals("xn--bcher-kva", Idna.toAscii("xn--bcher-kva"));
    for (String invalid :
        new String[] {
          "xn--",
          "xn--a",
          "xn--a-",
          "xn---4ca",
          "xn--99999999",
          "xn--bcher-kv",
          "xn--xn---epa",
          "xn--\u00e9"
        }) {
      assertNull(icu(invalid), invalid);
      assertNull(Idna.toAscii(invalid), invalid);
    }
    String upper = Punycode.encode("\u00c9");
    assertNull(Idna.toAscii("xn--" + upper));
  }

  @Test
  void punycode_of_a_label_is_decoded_to_that_label() {
    Random random = new Random(34);
    for (int i = 0; i < 5_000; i++) {
      StringBuilder label = new StringBuilder();
      for (int length = 1 + random.nextInt(20); length > 0; length--) {
        label.appendCodePoint(
            random.nextBoolean() ? 'a' + random.nextInt(26) : 0xE000 + random.nextInt(0x100000));
      }
      String ascii = Punycode.encode(label.toString());
      assertNotNull(ascii);
      assertEquals(label.toString(), Punycode.decode(ascii));
    }
  }

  @Test
  void label_above_the_limit_is_invalid_and_one_below_is_not() {
    assertNotNull(Idna.toAscii("\u00e9".repeat(Punycode.MAX_LABEL)));
    assertNull(Idna.toAscii("\u00e9".repeat(Punycode.MAX_LABEL + 1)));
    assertNull(Idna.toAscii("xn--" + "a".repeat(Punycode.MAX_LABEL + 1)));
    assertNotNull(Punycode.encode("\udbff\udfff".repeat(Punycode.MAX_LABEL / 2)));
    assertNull(Punycode.encode("a".repeat(Punycode.MAX_LABEL - 2) + "\udbff\udfff"));
  }
}
