package dev.weblocks.harness.wpt;

import java.net.IDN;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The host names and ports of WPT's server, as its tests expect them.
 *
 * @param domains host names in ASCII, by host group ({@code ""} for the main host, {@code alt} for
 *     the alternate one) and subdomain label ({@code ""} for the host itself)
 * @param ports by protocol, as tests may request them; only http and https are served
 */
public record WptHosts(Map<String, Map<String, String>> domains, Map<String, List<Integer>> ports) {

  private static final List<String> SUBDOMAINS = List.of("www", "www1", "www2", "天気の良い日", "élève");

  /** Suffixes of protocol names that differ only by address space, as in {@code http-private}. */
  private static final List<String> ADDRESS_SPACES = List.of("", "-private", "-public");

  /** Subdomains that tests use because no server answers there. */
  private static final List<String> ABSENT_SUBDOMAINS = List.of("nonexistent");

  public WptHosts {
    domains = Map.copyOf(domains);
    ports = Map.copyOf(ports);
  }

  /** Returns the default names and ports of WPT's server. */
  public static WptHosts standard() {
    return new WptHosts(
        Map.of("", domainsOf("web-platform.test"), "alt", domainsOf("not-web-platform.test")),
        Map.of(
            "http", List.of(8000, 8001),
            "https", List.of(8443, 8444),
            "http-private", List.of(8002),
            "http-public", List.of(8003),
            "https-private", List.of(8445),
            "https-public", List.of(8446),
            "ws", List.of(8888),
            "wss", List.of(8889),
            "h2", List.of(9000)));
  }

  private static Map<String, String> domainsOf(String host) {
    Map<String, String> domains = new LinkedHashMap<>();
    domains.put("", host);
    for (String label : withPairs(SUBDOMAINS)) {
      domains.put(label, IDN.toASCII(label) + "." + host);
    }
    for (String label : withPairs(ABSENT_SUBDOMAINS)) {
      domains.put(label, label + "." + host);
    }
    return Map.copyOf(domains);
  }

  private static List<String> withPairs(List<String> labels) {
    List<String> all = new ArrayList<>(labels);
    for (String first : labels) {
      for (String second : labels) {
        all.add(first + "." + second);
      }
    }
    return all;
  }

  /** Returns the name of the main host. */
  public String host() {
    return domains.getOrDefault("", Map.of()).getOrDefault("", "");
  }

  /** Returns scheme, host and port of the main server, or of its {@code www} subdomain. */
  public String origin(boolean https, boolean www) {
    String scheme = https ? "https" : "http";
    String host = domains.getOrDefault("", Map.of()).getOrDefault(www ? "www" : "", "");
    return scheme + "://" + host + ":" + ports.getOrDefault(scheme, List.of()).getFirst();
  }

  /** Returns whether a server answers at a scheme, host (ASCII, lower case) and port. */
  boolean serves(String scheme, String host, int port) {
    return (scheme.equals("http") || scheme.equals("https"))
        && ADDRESS_SPACES.stream()
            .anyMatch(space -> ports.getOrDefault(scheme + space, List.of()).contains(port))
        && isPresent(host);
  }

  // Called for each request of each page: allocates nothing.
  private boolean isPresent(String host) {
    for (Map<String, String> group : domains.values()) {
      for (Map.Entry<String, String> domain : group.entrySet()) {
        if (domain.getValue().equals(host)
            && ABSENT_SUBDOMAINS.stream().noneMatch(domain.getKey()::contains)) {
          return true;
        }
      }
    }
    return false;
  }
}
