package dev.weblocks.locks;

import dev.weblocks.agent.UserAgent;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand.BucketCommand;
import dev.weblocks.lockmanager.message.LockCommand.CheckBucket;
import dev.weblocks.lockmanager.message.LockCommand.DeleteBucket;
import dev.weblocks.lockmanager.message.LockCommand.OpenBucket;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.BucketDeleted;
import dev.weblocks.lockmanager.message.LockEffect.BucketOpened;
import dev.weblocks.lockmanager.message.LockEffect.Refused;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.storage.Bucket;
import dev.weblocks.storage.SharedBuckets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The named buckets of a user agent with remote lock managers, as a client of them. Its commands
 * are in one order with the requests of the user agent, so a request never precedes the opening of
 * its bucket. A supplement of the user agent. Thread-safe, without a monitor.
 */
final class RemoteBuckets implements SharedBuckets {

  /** The most answers to wait for: the calls of a script are not limited otherwise. */
  private static final int MOST_WAITING = 10_000;

  private static final Answer OPEN = new Answer(true, null);
  private static final Answer DELETED = new Answer(false, null);

  private final LockService service;
  private final ClientId id;

  /** The buckets that were not removed by an effect, by their numbers. */
  private final Map<Long, Bucket> buckets = new ConcurrentHashMap<>();

  /** The receivers of answers to other commands, by the sequences of their ids. */
  private final Map<Long, Consumer<LockEffect>> waiting = new ConcurrentHashMap<>();

  private RemoteBuckets(UserAgent userAgent) {
    service = LockServices.of(userAgent);
    id = new ClientId(userAgent.ids().nextUuid());
    service.register(
        new RegisterClient(id, new LockRequester("storage buckets", "", "")), this::receive);
  }

  static RemoteBuckets of(UserAgent userAgent) {
    return userAgent.supplements().get(RemoteBuckets.class, () -> new RemoteBuckets(userAgent));
  }

  @Override
  public long nextOpening() {
    return service.nextId(id).sequence();
  }

  @Override
  public void open(Bucket bucket, String key) {
    buckets.put(bucket.opening(), bucket);
    try {
      service.enqueue(
          new OpenBucket(
              new RequestId(id, bucket.opening()), new ManagerId(key, bucket.name()), 0));
    } catch (Error exhausted) {
      buckets.remove(bucket.opening());
      throw exhausted;
    }
  }

  @Override
  public void check(Bucket bucket, Consumer<Answer> answer) {
    RequestId query = service.nextId(id);
    enqueue(
        new CheckBucket(query, bucket.opening()),
        effect ->
            answer.accept(
                switch (effect) {
                  case BucketOpened opened -> OPEN;
                  case Refused refused -> new Answer(false, refused.message());
                  default -> {
                    deleted(bucket.opening()); // so that the next call opens another one
                    yield new Answer(false, bucket.refusal());
                  }
                }));
  }

  @Override
  public void delete(String name, String key, Consumer<Answer> answer) {
    enqueue(
        new DeleteBucket(service.nextId(id), new ManagerId(key, name), 0),
        effect ->
            answer.accept(
                effect instanceof Refused refused
                    ? new Answer(false, refused.message())
                    : DELETED));
  }

  @Override
  public void expire(Bucket bucket, String key) {
    if (buckets.remove(bucket.opening()) != null) {
      service.enqueue(
          new DeleteBucket(
              service.nextId(id), new ManagerId(key, bucket.name()), bucket.opening()));
    }
  }

  private void enqueue(BucketCommand command, Consumer<LockEffect> receiver) {
    if (waiting.size() >= MOST_WAITING) {
      receiver.accept(
          new Refused(
              command.id(),
              MOST_WAITING + " calls wait for the lock cluster, which is the limit."));
      return;
    }
    Long sequence = command.id().sequence();
    waiting.put(sequence, receiver);
    try {
      service.enqueue(command);
    } catch (Error exhausted) {
      waiting.remove(sequence);
      throw exhausted;
    }
  }

  private void deleted(Long opening) {
    Bucket deleted = buckets.remove(opening);
    if (deleted != null) {
      deleted.remove();
    }
  }

  private void receive(LockEffect effect) {
    Long sequence = effect.id().sequence();
    Consumer<LockEffect> receiver = waiting.remove(sequence);
    if (receiver != null) {
      receiver.accept(effect);
    } else if (effect instanceof BucketDeleted) {
      deleted(sequence);
    } else if (effect instanceof Refused refused) {
      Bucket unshared = buckets.remove(sequence);
      if (unshared != null) {
        unshared.refuse(refused.message());
      }
    }
  }
}
