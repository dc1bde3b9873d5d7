package dev.weblocks.messaging;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.agent.VirtualWorld;
import dev.weblocks.storage.StorageKey;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The registry of the agents that have open broadcast channels, by address. A supplement of the
 * user agent. The channels themselves stay with their agents. Thread-safe.
 *
 * <p>A message becomes one task for each agent with channels at the address, not one for each
 * channel: tasks of one source would follow each other anyway. So a trace does not depend on which
 * channels have been garbage-collected.
 */
final class BroadcastChannels {

  /**
   * The address that channels share if they receive each other's messages.
   *
   * @param storageKey the storage key of the environment, or its opaque origin
   * @param name the name of the channels
   */
  private record Address(Object storageKey, String name) {

    /**
     * Returns the address of a channel in an environment. An opaque origin has no storage key; its
     * channels exchange messages only within that origin.
     *
     * @see <a
     *     href="https://storage.spec.whatwg.org/#obtain-a-storage-key-for-non-storage-purposes">obtain
     *     a storage key for non-storage purposes</a>
     */
    static Address of(EnvironmentSettings environment, String name) {
      StorageKey key = StorageKey.obtain(environment);
      return new Address(key == null ? environment.origin() : key, name);
    }
  }

  /** A channel. Used on the event loop of its agent. */
  interface Receiver {

    /** Returns the relevant realm. */
    Realm realm();

    /** Receives a message of another channel. */
    void receive(SerializedValue message, String origin);

    /** Closes the channel, which then {@link Membership#leave leaves}. */
    void close();
  }

  private final Map<Address, Map<Agent, Party>> parties = new HashMap<>();

  private BroadcastChannels() {}

  static BroadcastChannels of(UserAgent userAgent) {
    return userAgent.supplements().get(BroadcastChannels.class, BroadcastChannels::new);
  }

  /** Returns the number of pairs of an agent and an address with open channels. */
  synchronized int size() {
    return parties.values().stream().mapToInt(Map::size).sum();
  }

  /** The channels of one agent at one address. */
  private static final class Party {
    final Address address;
    final Agent agent;

    /**
     * The number of channels that have not been closed, even if garbage-collected. Guarded by the
     * registry.
     */
    int open;

    /** The number of channels made so far. Guarded by the registry. */
    long made;

    /** The members in order of their creation. Used on the event loop of the agent. */
    final List<Membership> members = new ArrayList<>();

    private int sizeAfterSweep;

    Party(Address address, Agent agent) {
      this.address = address;
      this.agent = agent;
    }

    void add(Membership member) {
      if (members.size() > 2 * sizeAfterSweep + 8) {
        members.removeIf(each -> each.channel() == null);
        sizeAfterSweep = members.size();
      }
      members.add(member);
    }

    /** Delivers a message to all channels numbered below {@code before}, except the source. */
    void deliver(SerializedValue message, String origin, @Nullable Membership source, long before) {
      for (Membership member : List.copyOf(members)) {
        Receiver channel = member.channel();
        if (channel != null && member != source && member.number < before) {
          channel.receive(message, origin);
        }
      }
    }
  }

  /** The membership of one channel at its address. Used on the event loop of its agent. */
  final class Membership {
    private final Party party;
    private final long number;
    private final WeakReference<Receiver> channel;
    private @Nullable Receiver kept;
    private boolean left;

    private Membership(Party party, long number, Receiver channel) {
      this.party = party;
      this.number = number;
      this.channel = new WeakReference<>(channel);
      keep(false);
    }

    @Nullable Receiver channel() {
      return channel.get();
    }

    /** Sets whether the channel has a listener and so has to be retained. */
    void keep(boolean listens) {
      Receiver now = channel.get();
      // deliveries to a channel without listeners appear in the trace, too
      kept = now != null && (listens || VirtualWorld.keepsGarbage(now.realm())) ? now : null;
    }

    void leave() {
      party.members.remove(this);
      kept = null;
      left = true;
      synchronized (BroadcastChannels.this) {
        if (--party.open == 0) {
          forget(party);
        }
      }
    }

    /** Sends a message to all other channels at the address. */
    void post(SerializedValue message, String origin) {
      List<Runnable> deliveries = new ArrayList<>();
      synchronized (BroadcastChannels.this) {
        for (Party each : parties.getOrDefault(party.address, Map.of()).values()) {
          long before = each.made;
          if (each.open > (each == party && !left ? 1 : 0)) {
            deliveries.add(() ->
                each.agent.queueTask(
                    TaskSource.DOM_MANIPULATION,
                    "broadcast",
                    () -> each.deliver(message, origin, this, before)));
          }
        }
      }
      deliveries.forEach(Runnable::run);
    }
  }

  private void forget(Party party) {
    Map<Agent, Party> there = parties.get(party.address);
    if (there != null && there.remove(party.agent, party) && there.isEmpty()) {
      parties.remove(party.address);
    }
  }

  /** Registers a new channel. Called on the event loop of its agent. */
  Membership join(Receiver channel, String name) {
    Agent agent = channel.realm().agent();
    Departure departure = agent.supplements().get(Departure.class, () -> new Departure(agent));
    departure.watch(channel.realm());
    Address address = Address.of(channel.realm().settings(), name);
    Party party;
    long number;
    synchronized (this) {
      party = departure.ended ? new Party(address, agent) : party(address, agent);
      party.open++;
      number = party.made++;
    }
    Membership member = new Membership(party, number, channel);
    party.add(member);
    return member;
  }

  private Party party(Address address, Agent agent) {
    return parties
        .computeIfAbsent(address, a -> new LinkedHashMap<>())
        .computeIfAbsent(agent, a -> new Party(address, a));
  }

  /**
   * The cleanup for an agent. Closes the channels of discarded realms, and removes the agent when
   * it ends. A supplement of each agent that has had a channel.
   */
  private final class Departure {
    private final Agent agent;
    private boolean ended;

    Departure(Agent agent) {
      this.agent = agent;
      agent.onEnd(this::end);
    }

    /** The mark of a realm that has had a channel; a supplement of the realm. */
    private record OfRealm(Departure departure) {}

    /**
     * Arranges that the channels of a realm are closed when it is discarded. Called on the event
     * loop.
     */
    void watch(Realm realm) {
      realm
          .supplements()
          .get(
              OfRealm.class,
              () -> {
                realm.onDiscard(() -> end(realm));
                return new OfRealm(this);
              });
    }

    private void end(Realm realm) {
      if (agent.isEnding()) { // which removes all its channels
        return;
      }
      List<Party> own = new ArrayList<>();
      synchronized (BroadcastChannels.this) {
        for (Map<Agent, Party> there : parties.values()) {
          Party party = there.get(agent);
          if (party != null) {
            own.add(party);
          }
        }
      }
      for (Party party : own) {
        for (Membership member : List.copyOf(party.members)) {
          Receiver channel = member.channel();
          if (channel != null && channel.realm() == realm) {
            channel.close();
          }
        }
      }
    }

    private void end() {
      synchronized (BroadcastChannels.this) {
        ended = true;
        parties.values().forEach(there -> there.remove(agent));
        parties.values().removeIf(Map::isEmpty);
      }
    }
  }
}
