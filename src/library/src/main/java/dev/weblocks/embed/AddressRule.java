package dev.weblocks.embed;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The default of {@link HttpOptions.Builder#addresses}. Stores the most public address space of
 * each host, so that a page does not become less public when its name gets another address.
 * Thread-safe.
 */
final class AddressRule implements BiPredicate<ResourceRequest, InetAddress> {

  static final int MAX_HOSTS = 10_000;

  /** Returns all addresses of a host. */
  @FunctionalInterface
  interface Lookup {
    InetAddress[] all(String host) throws UnknownHostException;
  }

  private final Lookup lookup;

  /** The address spaces of hosts that have been seen, the longest unused one first. */
  private final Map<String, AddressSpace> seen =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, AddressSpace> eldest) {
          forgets |= size() > MAX_HOSTS;
          return size() > MAX_HOSTS;
        }
      };

  /** Whether an entry has been removed, so that a host without one may have been public. */
  private boolean forgets;

  AddressRule() {
    this(InetAddress::getAllByName);
  }

  AddressRule(Lookup lookup) {
    this.lookup = lookup;
  }

  @Override
  public boolean test(ResourceRequest request, InetAddress address) {
    AddressSpace space = AddressSpace.of(address);
    boolean allowed = true;
    for (String origin : request.origins()) { // also if all may: a page in use keeps its entry
      String host = host(origin);
      AddressSpace own = host == null ? AddressSpace.PUBLIC : known(host);
      if (host != null && own == null && space != AddressSpace.PUBLIC) {
        own = resolve(host);
      }
      allowed &= own == null || own.compareTo(space) <= 0;
    }
    String target = host(request.url());
    if (target != null && allowed) { // a refused name must not become less public
      see(target, space);
    }
    return allowed;
  }

  /** Returns the space of a host without asking a name server; null if unknown. */
  private synchronized @Nullable AddressSpace known(String host) {
    if (host.equals("localhost") || host.endsWith(".localhost")) {
      return AddressSpace.LOOPBACK; // in browsers, whatever a name server answers
    }
    AddressSpace space = seen.get(host);
    return space == null && forgets && !isAddress(host) ? AddressSpace.PUBLIC : space;
  }

  private static boolean isAddress(String host) {
    return host.startsWith("[") || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
  }

  private AddressSpace resolve(String host) {
    AddressSpace most = AddressSpace.LOOPBACK;
    try {
      for (InetAddress address : lookup.all(host)) {
        AddressSpace space = AddressSpace.of(address);
        most = space.compareTo(most) > 0 ? space : most;
      }
    } catch (UnknownHostException unknown) {
      return AddressSpace.PUBLIC; // not stored: the name server may answer later
    }
    return see(host, most);
  }

  /** Stores an address space of a host, and returns the most public one that is stored. */
  private synchronized AddressSpace see(String host, AddressSpace space) {
    return seen.merge(host, space, (one, other) -> one.compareTo(other) > 0 ? one : other);
  }

  /** Returns the host of a serialized URL or origin; null if it has none. */
  private static @Nullable String host(String url) {
    try {
      return URI.create(url).getHost();
    } catch (IllegalArgumentException unusual) {
      return null;
    }
  }
}
