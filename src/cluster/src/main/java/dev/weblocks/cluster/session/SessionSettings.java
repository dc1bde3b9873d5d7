package dev.weblocks.cluster.session;

import dev.weblocks.cluster.machine.Entry.OpenSession;
import dev.weblocks.model.Variant;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The settings of the session of a user agent.
 *
 * @param namespace the namespace of the locks
 * @param name of the user agent, for people
 * @param leaseNanos the silence after which a session expires
 * @param secrets makes the secret of each session
 * @param listener receives the changes of the session
 */
public record SessionSettings(
    String namespace,
    String name,
    long leaseNanos,
    Supplier<UUID> secrets,
    SessionListener listener) {

  OpenSession open(UUID secret, Set<Variant> variants) {
    return new OpenSession(
        secret, namespace, name, TimeUnit.NANOSECONDS.toMillis(leaseNanos), variants);
  }
}
