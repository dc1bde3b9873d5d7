package dev.weblocks.cluster.machine;

import dev.weblocks.lockmanager.LockManagers;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockState;
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

  final Quota quota = new Quota(Quota.Scope.NAMESPACE);
  final Quota.OfKeys keys = new Quota.OfKeys(Quota.Scope.STORAGE_KEY);

  /** That of the cluster. */
  final Quota cluster;

  /** The number of sessions. */
  int sessions;

  /** The owners by the ids that the lock managers know, which contain the session. */
  private final Map<ClientId, Owner> owners = new HashMap<>();

  Namespace(
      String name, Set<Variant> variants, LockManagers managers, Buckets buckets, Quota cluster) {
    this.name = name;
    this.variants = variants;
    this.managers = managers;
    this.buckets = buckets;
    this.cluster = cluster;
  }

  /** Counts the requests and locks, after they were read. */
  void countRequests() {
    for (LockState state : managers.diagnose()) {
      Owner owner = owner(state.client());
      if (owner != null) {
        owner.session().countRequest(state.manager(), state.options(), 1);
      }
    }
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
