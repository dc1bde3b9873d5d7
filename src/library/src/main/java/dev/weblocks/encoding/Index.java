package dev.weblocks.encoding;

/**
 * An index of a multi-byte encoding. Its table is decoded with the JVM's closest charset and then
 * corrected by {@code indexes.txt}. A checksum detects a JVM whose charset has other mappings.
 *
 * <p>Big5-HKSCS lacks the mappings of 140 pointers, at which HKSCS moved a character or Windows
 * chose another character. GB18030 lacks the mappings of 0xA3A0 to U+3000 and of 0x8135F437 to
 * U+E7C7. windows-31j and x-windows-949 have private use areas that the indexes lack.
 *
 * @see <a href="https://encoding.spec.whatwg.org/#indexes">Encoding Standard</a>
 */
enum Index {
  JIS0208("jis0208", "windows-31j", 11280, 0xC5DF964AL) {
    @Override
    int bytes(int pointer, byte[] into) {
      int lead = pointer / 188;
      int trail = pointer % 188;
      into[0] = (byte) (lead + (lead < 0x1F ? 0x81 : 0xC1));
      into[1] = (byte) (trail + (trail < 0x3F ? 0x40 : 0x41));
      return 2;
    }
  },
  JIS0212("jis0212", "EUC-JP", 8836, 0xEDACFB7EL) {
    @Override
    int bytes(int pointer, byte[] into) {
      into[0] = (byte) 0x8F;
      into[1] = (byte) (pointer / 94 + 0xA1);
      into[2] = (byte) (pointer % 94 + 0xA1);
      return 3;
    }
  },
  BIG5("big5", "Big5-HKSCS", 19782, 0xA6086733L) {
    @Override
    int bytes(int pointer, byte[] into) {
      int trail = pointer % 157;
      into[0] = (byte) (pointer / 157 + 0x81);
      into[1] = (byte) (trail + (trail < 0x3F ? 0x40 : 0x62));
      return 2;
    }
  },
  EUC_KR("euc-kr", "x-windows-949", 23940, 0x22CCE960L) {
    @Override
    int bytes(int pointer, byte[] into) {
      into[0] = (byte) (pointer / 190 + 0x81);
      into[1] = (byte) (pointer % 190 + 0x41);
      return 2;
    }
  },
  GB18030("gb18030", "GB18030", 23940, 0x1D8D70ADL) {
    @Override
    int bytes(int pointer, byte[] into) {
      int trail = pointer % 190;
      into[0] = (byte) (pointer / 190 + 0x81);
      into[1] = (byte) (trail + (trail < 0x3F ? 0x40 : 0x41));
      return 2;
    }
  },
  /** The four-byte codes of the Basic Multilingual Plane, with one entry per pointer. */
  GB18030_RANGES("gb18030-ranges", "GB18030", 39420, 0xA798E3D0L) {
    @Override
    int bytes(int pointer, byte[] into) {
      into[0] = (byte) (pointer / (10 * 126 * 10) + 0x81);
      into[1] = (byte) (pointer / (10 * 126) % 10 + 0x30);
      into[2] = (byte) (pointer / 10 % 126 + 0x81);
      into[3] = (byte) (pointer % 10 + 0x30);
      return 4;
    }
  };

  final String standardName;
  final String charset;
  final int size;

  /** The CRC-32 of the standard's table as big-endian 32-bit integers; -1 marks an empty entry. */
  final long checksum;

  Index(String standardName, String charset, int size, long checksum) {
    this.standardName = standardName;
    this.charset = charset;
    this.size = size;
    this.checksum = checksum;
  }

  /** Writes the bytes that encode a pointer in {@link #charset}; returns their number. */
  abstract int bytes(int pointer, byte[] into);
}
