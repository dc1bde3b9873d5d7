package dev.weblocks.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Storage keys, by which environments share storage. */
class StorageKeyTest {

  private static Origin tuple(String scheme, String host, int port) {
    return new Origin.Tuple(scheme, host, port);
  }

  private static Origin https(String host) {
    return tuple("https", host, -1);
  }

  private static StorageKey key(Origin origin, Origin topLevel) {
    return StorageKey.obtain(
        new EnvironmentSettings(
            "id", "https://one.test/", origin, topLevel, true, Set.of("Window")));
  }

  @Test
  void top_level_pages_of_one_site_share_a_partition() {
    Origin origin = https("widget.test");
    assertEquals(
        key(origin, https("web-platform.test")), key(origin, https("www.web-platform.test")));
    assertEquals(
        key(origin, https("web-platform.test")),
        key(origin, tuple("https", "web-platform.test", 8443)));
    assertNotEquals(
        key(origin, https("web-platform.test")), key(origin, https("not-web-platform.test")));
    assertNotEquals(
        key(origin, https("web-platform.test")),
        key(origin, tuple("http", "web-platform.test", -1)));
  }

  @Test
  void origins_of_one_site_have_different_keys() {
    Origin top = https("web-platform.test");
    assertNotEquals(key(https("a.web-platform.test"), top), key(https("b.web-platform.test"), top));
    assertNotEquals(key(https("a.test"), top), key(tuple("https", "a.test", 8443), top));
  }

  @Test
  void each_ip_address_or_single_label_host_is_a_separate_site() {
    Origin origin = https("widget.test");
    assertNotEquals(key(origin, https("10.0.0.1")), key(origin, https("11.0.0.1")));
    assertNotEquals(key(origin, https("[::1]")), key(origin, https("[::2]")));
    assertNotEquals(key(origin, https("localhost")), key(origin, https("intranet")));
    assertEquals(key(origin, https("localhost")), key(origin, tuple("https", "localhost", 9)));
  }

  @Test
  void opaque_origins_have_no_key_but_opaque_top_level_sites_have_partitions() {
    Origin origin = https("widget.test");
    assertNull(key(new Origin.Opaque("1"), origin));
    assertEquals(key(origin, new Origin.Opaque("1")), key(origin, new Origin.Opaque("1")));
    assertNotEquals(key(origin, new Origin.Opaque("1")), key(origin, new Origin.Opaque("2")));
  }

  @Test
  void different_keys_have_different_texts() {
    List<StorageKey> keys =
        List.of(
            key(https("a.test"), https("a.test")),
            key(https("a.test"), https("b.test")),
            key(https("b.test"), https("a.test")),
            key(https("a.test"), tuple("http", "a.test", -1)),
            key(tuple("http", "a.test", -1), https("a.test")),
            key(tuple("https", "a.test", 1), https("a.test")),
            key(https("a.test"), new Origin.Opaque("1")),
            key(https("a.test"), new Origin.Opaque("2")));
    assertEquals(
        keys.size(), keys.stream().map(StorageKey::serialize).collect(Collectors.toSet()).size());
  }
}
