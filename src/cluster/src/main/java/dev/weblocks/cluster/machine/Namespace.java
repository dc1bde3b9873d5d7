package dev.weblocks.cluster.machine;

import dev.weblocks.lockmanager.LockManagers;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.model.Variant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lock managers that some sessions share. */
final class Namespace {

  /**
   * The session of a client.
   *
   * @param client the id that the user agent has given it
   */
  record Owner(Session session, ClientId client) {}

  final String name;
  final Set<Variant> variants;
  final LockManagers managers;

  /** The named buckets; replaced only while a snapshot is read. */
  Buckets buckets;

  /** The number of sessions. */
  int sessions;

  /** The owners by the ids that the lock managers know, which contain the session. */
  private final Map<ClientId, Owner> owners = new HashMap<>();

  Namespace(String name, Set<Variant> variants, LockManagers managers, Buckets buckets) {
    this.name = name;
    this.variants = variants;
    this.managers = managers;
    this.buckets = buckets;
  }

  @Nullable Owner owner(ClientId client) {
    return owners.get(client);
  }

  void add(ClientId client, Owner owner) {
    owners.put(client, owner);
  }

  void remove(ClientId client) {
    owners.remove(client);
  }
}
