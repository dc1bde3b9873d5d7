package dev.weblocks.encoding;

import dev.weblocks.agent.Realm;
import dev.weblocks.url.QueryEncoding;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The encodings of the standard with their names and labels.
 *
 * @see <a href="https://encoding.spec.whatwg.org/#names-and-labels">Encoding Standard</a>
 */
public enum Encoding {
  UTF_8("UTF-8", "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8"),
  IBM866("IBM866", "866 cp866 csibm866 ibm866"),
  ISO_8859_2(
      "ISO-8859-2",
      "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2"),
  ISO_8859_3(
      "ISO-8859-3",
      "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3"),
  ISO_8859_4(
      "ISO-8859-4",
      "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4"),
  ISO_8859_5(
      "ISO-8859-5",
      "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 "
          + "iso_8859-5:1988"),
  ISO_8859_6(
      "ISO-8859-6",
      "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 "
          + "iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987"),
  ISO_8859_7(
      "ISO-8859-7",
      "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 "
          + "iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek"),
  ISO_8859_8(
      "ISO-8859-8",
      "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 "
          + "iso88598 iso_8859-8 iso_8859-8:1988 visual"),
  ISO_8859_8_I("ISO-8859-8-I", "csiso88598i iso-8859-8-i logical"),
  ISO_8859_10("ISO-8859-10", "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6"),
  ISO_8859_13("ISO-8859-13", "iso-8859-13 iso8859-13 iso885913"),
  ISO_8859_14("ISO-8859-14", "iso-8859-14 iso8859-14 iso885914"),
  ISO_8859_15("ISO-8859-15", "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9"),
  ISO_8859_16("ISO-8859-16", "iso-8859-16"),
  KOI8_R("KOI8-R", "cskoi8r koi koi8 koi8-r koi8_r"),
  KOI8_U("KOI8-U", "koi8-ru koi8-u"),
  MACINTOSH("macintosh", "csmacintosh mac macintosh x-mac-roman"),
  WINDOWS_874("windows-874", "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874"),
  WINDOWS_1250("windows-1250", "cp1250 windows-1250 x-cp1250"),
  WINDOWS_1251("windows-1251", "cp1251 windows-1251 x-cp1251"),
  WINDOWS_1252(
      "windows-1252",
      "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 "
          + "iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252"),
  WINDOWS_1253("windows-1253", "cp1253 windows-1253 x-cp1253"),
  WINDOWS_1254(
      "windows-1254",
      "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 "
          + "l5 latin5 windows-1254 x-cp1254"),
  WINDOWS_1255("windows-1255", "cp1255 windows-1255 x-cp1255"),
  WINDOWS_1256("windows-1256", "cp1256 windows-1256 x-cp1256"),
  WINDOWS_1257("windows-1257", "cp1257 windows-1257 x-cp1257"),
  WINDOWS_1258("windows-1258", "cp1258 windows-1258 x-cp1258"),
  X_MAC_CYRILLIC("x-mac-cyrillic", "x-mac-cyrillic x-mac-ukrainian"),
  GBK("GBK", "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk"),
  GB18030("gb18030", "gb18030"),
  BIG5("Big5", "big5 big5-hkscs cn-big5 csbig5 x-x-big5"),
  EUC_JP("EUC-JP", "cseucpkdfmtjapanese euc-jp x-euc-jp"),
  ISO_2022_JP("ISO-2022-JP", "csiso2022jp iso-2022-jp"),
  SHIFT_JIS("Shift_JIS", "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis"),
  EUC_KR(
      "EUC-KR",
      "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 "
          + "ksc_5601 windows-949"),
  REPLACEMENT(
      "replacement", "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement"),
  UTF_16BE("UTF-16BE", "unicodefffe utf-16be"),
  UTF_16LE("UTF-16LE", "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le"),
  X_USER_DEFINED("x-user-defined", "x-user-defined");

  private static final Map<String, Encoding> BY_LABEL =
      Stream.of(values())
          .flatMap(each -> each.labels.stream().map(label -> Map.entry(label, each)))
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

  private final String standardName;
  private final List<String> labels;

  Encoding(String standardName, String labels) {
    this.standardName = standardName;
    this.labels = List.of(labels.split(" "));
  }

  /** Returns the encoding's name, capitalized as in the standard. */
  public String standardName() {
    return standardName;
  }

  /** Returns all labels, in ASCII lower case. */
  public List<String> labels() {
    return labels;
  }

  /**
   * Returns the encoding with a label; null if there is none. Ignores ASCII case and surrounding
   * ASCII whitespace.
   *
   * @see <a href="https://encoding.spec.whatwg.org/#concept-encoding-get">get an encoding</a>
   */
  public static @Nullable Encoding get(String label) {
    // 1
    int start = 0;
    int end = label.length();
    while (start < end && isAsciiWhitespace(label.charAt(start))) {
      start++;
    }
    while (end > start && isAsciiWhitespace(label.charAt(end - 1))) {
      end--;
    }
    String trimmed = label.substring(start, end);
    // 2; lower-casing a letter that is not ASCII could produce a label: U+212A becomes k
    boolean ascii = trimmed.chars().allMatch(unit -> unit < 0x80);
    return ascii ? BY_LABEL.get(trimmed.toLowerCase(Locale.ROOT)) : null;
  }

  private static boolean isAsciiWhitespace(char unit) {
    return unit == '\t' || unit == '\n' || unit == '\f' || unit == '\r' || unit == ' ';
  }

  /** Returns whether this is UTF-8, UTF-16BE or UTF-16LE, the encodings with a byte order mark. */
  boolean hasByteOrderMark() {
    return this == UTF_8 || this == UTF_16BE || this == UTF_16LE;
  }

  /**
   * Returns a new instance of the encoding's decoder.
   *
   * @throws IndexUnavailableException if this JVM lacks the charset for the encoding's index, or if
   *     the charset differs from the index
   */
  Decoder newDecoder(Indexes indexes) {
    return switch (this) {
      case UTF_8 -> new Utf8Decoder();
      case UTF_16BE -> new Utf16Decoder(true);
      case UTF_16LE -> new Utf16Decoder(false);
      case GBK, GB18030 ->
          new Gb18030Decoder(indexes.get(Index.GB18030), indexes.get(Index.GB18030_RANGES));
      case BIG5 -> new Big5Decoder(indexes.get(Index.BIG5));
      case EUC_JP -> new EucJpDecoder(indexes.get(Index.JIS0208), indexes.get(Index.JIS0212));
      case ISO_2022_JP -> new Iso2022JpDecoder(indexes.get(Index.JIS0208));
      case SHIFT_JIS -> new ShiftJisDecoder(indexes.get(Index.JIS0208));
      case EUC_KR -> new EucKrDecoder(indexes.get(Index.EUC_KR));
      case REPLACEMENT -> new ReplacementDecoder();
      case X_USER_DEFINED -> new XUserDefinedDecoder();
      case ISO_8859_8_I -> new SingleByteDecoder(indexes.singleByte(ISO_8859_8));
      default -> new SingleByteDecoder(indexes.singleByte(this));
    };
  }

  /**
   * <a href="https://encoding.spec.whatwg.org/#get-an-output-encoding">get an output encoding</a>
   */
  private Encoding outputEncoding() {
    return this == REPLACEMENT || this == UTF_16BE || this == UTF_16LE ? UTF_8 : this;
  }

  /**
   * Returns the output encoding for the queries of URLs; null if it is UTF-8, or if this JVM lacks
   * the encoding, which is reported as a defect.
   */
  public @Nullable QueryEncoding forQueries(Realm realm) {
    Encoding output = outputEncoding();
    if (output == UTF_8) {
      return null;
    }
    Indexes indexes = realm.supplements().require(Indexes.class);
    try {
      Encoder ignored = output.newEncoder(indexes); // loads the index
    } catch (IndexUnavailableException missing) {
      realm.agent().reportDefect("queries of URLs in " + standardName, missing);
      return null;
    }
    return (text, bytes, errors) -> output.newEncoder(indexes).encode(text, bytes, errors);
  }

  /**
   * Returns a new instance of the encoding's encoder; the encoding is a legacy one.
   *
   * @throws IndexUnavailableException as for {@link #newDecoder}
   */
  Encoder newEncoder(Indexes indexes) {
    return switch (this) {
      case X_USER_DEFINED -> new SimpleEncoder.XUserDefined();
      case GBK, GB18030 ->
          new Gb18030Encoder(indexes.inverse(this), indexes.inverseRanges(), this == GBK);
      case BIG5 -> new SimpleEncoder.Big5(indexes.inverse(this));
      case EUC_JP -> new SimpleEncoder.EucJp(indexes.inverse(this));
      case ISO_2022_JP -> new Iso2022JpEncoder(indexes.inverse(this));
      case SHIFT_JIS -> new SimpleEncoder.ShiftJis(indexes.inverse(this));
      case EUC_KR -> new SimpleEncoder.EucKr(indexes.inverse(this));
      case ISO_8859_8_I -> new SimpleEncoder.SingleByte(indexes.inverse(ISO_8859_8));
      default -> new SimpleEncoder.SingleByte(indexes.inverse(this));
    };
  }
}
