package dev.weblocks.embed;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;

/**
 * An IP address space; each constant is more public than the one before it.
 *
 * @see <a href="https://wicg.github.io/local-network-access/#ip-address-space-section">Local
 *     Network Access</a>
 */
enum AddressSpace {
  /** Addresses of this machine. */
  LOOPBACK,
  /** Addresses that mean something on one network only, and reserved ones. */
  LOCAL,
  PUBLIC;

  static AddressSpace of(InetAddress address) {
    if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
      return LOOPBACK; // systems connect 0.0.0.0 to themselves
    }
    return switch (address) {
      case Inet4Address four -> ofFour(four.getAddress(), 0);
      case Inet6Address six -> ofSix(six);
      default -> LOCAL;
    };
  }

  private static AddressSpace ofSix(Inet6Address address) {
    byte[] bytes = address.getAddress();
    int first = (bytes[0] & 0xff) << 8 | bytes[1] & 0xff;
    if (first == 0x2002) { // 6to4
      return ofFour(bytes, 2);
    }
    if (first == 0x64 && bytes[2] == (byte) 0xff && bytes[3] == (byte) 0x9b && bytes[5] == 0) {
      // NAT64
      return ofFour(bytes, 12);
    }
    boolean isGlobal = (first & 0xe000) == 0x2000; // 2000::/3, which has 6to4
    return isGlobal ? PUBLIC : LOCAL;
  }

  /** Returns the space of an IPv4 address, whose four bytes begin at an index. */
  private static AddressSpace ofFour(byte[] bytes, int at) {
    int first = bytes[at] & 0xff;
    int second = bytes[at + 1] & 0xff;
    return switch (first) {
      case 0, 127 -> LOOPBACK;
      case 10 -> LOCAL;
      case 100 -> (second & 0xc0) == 64 ? LOCAL : PUBLIC; // shared by carriers
      case 169 -> second == 254 ? LOCAL : PUBLIC; // link-local
      case 172 -> (second & 0xf0) == 16 ? LOCAL : PUBLIC;
      case 192 -> second == 168 || (second == 0 && bytes[at + 2] == 0) ? LOCAL : PUBLIC;
      case 198 -> (second & 0xfe) == 18 ? LOCAL : PUBLIC; // benchmarks
      default -> first >= 224 ? LOCAL : PUBLIC; // multicast and reserved
    };
  }
}
