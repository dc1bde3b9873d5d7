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

  private static final int MAX_HOSTS = 10_000;

  /** Returns all addresses of a host. */
  @FunctionalInterface
  interface Lookup {
    InetAddress[] all(String host) throws UnknownHostException;
  }

  private final Lookup lookup;

  /** The address spaces of hosts that have been seen, the longest unused one first. */
  private final Map<String, AddressSpace> seen =
      new LinkedHashMap<>(16, 0.75f, true) { // each request of a page uses its entry
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, AddressSpace> eldest) {
          return size() > MAX_HOSTS;
        }
      };

  AddressRule() {
    this(InetAddress::getAllByName);
  }

  AddressRule(Lookup lookup) {
    this.lookup = lookup;
  }

  @Override
  public boolean test(ResourceRequest request, InetAddress address) {
    AddressSpace space = AddressSpace.of(address);
    String target = host(request.url());
    if (target != null) {
      see(target, space);
    }
    for (String origin : request.origins()) {
      if (space != AddressSpace.PUBLIC && spaceOf(origin).compareTo(space) > 0) {
        return false;
      }
    }
    return true;
  }

  private AddressSpace spaceOf(String origin) {
    String host = host(origin);
    if (host == null) {
      return AddressSpace.PUBLIC;
    }
    if (host.equals("localhost") || host.endsWith(".localhost")) {
      return AddressSpace.LOOPBACK; // in browsers, whatever a name server answers
    }
    AddressSpace most = AddressSpace.LOOPBACK;
    try {
      for (InetAddress address : lookup.all(host)) {
        AddressSpace space = AddressSpace.of(address);
        most = space.compareTo(most) > 0 ? space : most;
      }
    } catch (UnknownHostException unknown) {
      most = AddressSpace.PUBLIC;
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
