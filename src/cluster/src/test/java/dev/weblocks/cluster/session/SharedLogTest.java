package dev.weblocks.cluster.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.cluster.machine.Caps;
import dev.weblocks.cluster.machine.Entry;
import dev.weblocks.cluster.machine.Entry.Batch;
import dev.weblocks.cluster.machine.Entry.RemoveNamespace;
import dev.weblocks.cluster.machine.Entry.Several;
import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.cluster.machine.Query;
import dev.weblocks.cluster.machine.Query.Poll;
import dev.weblocks.cluster.machine.Query.SharedPoll;
import dev.weblocks.cluster.machine.Reply;
import dev.weblocks.cluster.machine.Reply.Done;
import dev.weblocks.cluster.machine.Reply.Events;
import dev.weblocks.cluster.machine.Reply.Rejected;
import dev.weblocks.cluster.machine.Reply.SessionOver;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Messages of several sessions over one connection, which the test answers. */
class SharedLogTest {

  private static final UUID SECRET = new UUID(0, 1);

  /** Messages that were sent, with their answers to come. */
  private static final class Connection implements ReplicatedLog {
    final Deque<Object> sent = new ArrayDeque<>();
    final Deque<CompletableFuture<Reply>> answers = new ArrayDeque<>();
    boolean isExhausted;

    private CompletableFuture<Reply> send(Object message) {
      if (isExhausted) {
        throw new InternalError("of the test");
      }
      sent.add(message);
      CompletableFuture<Reply> answer = new CompletableFuture<>();
      answers.add(answer);
      return answer;
    }

    @Override
    public CompletableFuture<Reply> append(Entry entry) {
      return send(entry);
    }

    @Override
    public CompletableFuture<Reply> read(Query query) {
      return send(query);
    }

    @Override
    public CompletableFuture<Reply> peek(Poll poll) {
      return send(poll);
    }

    /** Answers the oldest message. */
    void answer(Reply reply) {
      sent.remove();
      answers.remove().complete(reply);
    }

    void fail() {
      sent.remove();
      answers.remove().completeExceptionally(new IOException("timed out"));
    }
  }

  /** A clock that stands still, with timers that the test runs. */
  private static final class Time implements ClusterTime {
    final Deque<Runnable> timers = new ArrayDeque<>();
    long now;
    boolean isExhausted;

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public long wallMillis() {
      return 0;
    }

    @Override
    public void after(long nanos, Runnable action) {
      if (isExhausted) {
        throw new InternalError("of the test");
      }
      timers.add(action);
    }
  }

  private final Connection connection = new Connection();
  private final Time time = new Time();
  private final SharedLog log = new SharedLog(connection, time, 1, Runnable::run);
  private final List<CompletableFuture<Reply>> replies = new ArrayList<>();

  private static Entry entry(int number) {
    return new RemoveNamespace("n" + number);
  }

  private void append(int from, int to) {
    for (int i = from; i <= to; i++) {
      replies.add(log.append(entry(i)));
    }
  }

  private static Several several(int... numbers) {
    return new Several(Arrays.stream(numbers).mapToObj(SharedLogTest::entry).toList());
  }

  private static Poll poll(int session) {
    return new Poll(session, SECRET, 0);
  }

  private void share(int from, int to) {
    for (int i = from; i <= to; i++) {
      replies.add(log.share(poll(i)));
    }
  }

  @Test
  void entries_wait_behind_those_in_flight_and_travel_together() {
    append(1, 7);
    assertEquals(Stream.of(1, 2, 3, 4).map(SharedLogTest::entry).toList(), sent());
    connection.answer(new Done());
    assertTrue(replies.getFirst().isDone());
    assertEquals(List.of(entry(2), entry(3), entry(4), several(5, 6, 7)), sent());
    append(8, 8);
    assertEquals(4, sent().size());
    connection.answer(new Done());
    assertEquals(List.of(entry(3), entry(4), several(5, 6, 7), entry(8)), sent());
  }

  private List<Object> sent() {
    return List.copyOf(connection.sent);
  }

  @Test
  void entries_go_on_after_the_memory_was_exhausted() {
    connection.isExhausted = true;
    for (int i = 0; i < 5; i++) {
      assertThrows(InternalError.class, () -> log.append(entry(0)));
    }
    connection.isExhausted = false;
    append(1, 6);
    assertEquals(4, sent().size());
    connection.isExhausted = true;
    connection.answer(new Done());
    assertTrue(replies.get(4).isCompletedExceptionally());
    assertTrue(replies.get(5).isCompletedExceptionally());
    connection.isExhausted = false;
    append(7, 7);
    assertEquals(entry(7), connection.sent.getLast());
  }

  @Test
  void polls_go_on_after_the_memory_was_exhausted() {
    time.isExhausted = true;
    share(1, 1);
    assertTrue(replies.getFirst().isCompletedExceptionally());
    time.isExhausted = false;
    share(2, 2);
    time.timers.remove().run();
    assertEquals(List.of(poll(2)), sent());
  }

  @Test
  void each_entry_gets_its_own_reply() {
    append(1, 6);
    for (int i = 0; i < 4; i++) {
      connection.answer(new Done());
    }
    connection.answer(new Reply.Several(List.of(new Rejected("no"), new SessionOver())));
    assertEquals(new Rejected("no"), replies.get(4).join());
    assertEquals(new SessionOver(), replies.get(5).join());
  }

  @Test
  void failure_of_a_message_fails_all_of_its_entries_and_others_go_on() {
    append(1, 6);
    connection.answer(new Done());
    append(7, 7);
    for (int i = 0; i < 3; i++) {
      connection.answer(new Done());
    }
    connection.fail();
    assertTrue(replies.get(4).isCompletedExceptionally());
    assertTrue(replies.get(5).isCompletedExceptionally());
    assertFalse(replies.get(6).isDone());
    connection.answer(new Done());
    assertEquals(new Done(), replies.get(6).join());
  }

  @Test
  void entries_of_one_message_have_room_in_it() {
    append(1, 4);
    RequestLock request =
        new RequestLock(
            new RequestId(new ClientId("c"), 1),
            new ManagerId("m", "default"),
            LockOptions.of("a".repeat(Caps.LOCK_NAME), LockMode.SHARED, WaitMode.WAIT));
    Batch large = new Batch(1, SECRET, 0, 1, Collections.nCopies(6, request));
    for (int i = 0; i < 12; i++) {
      log.append(large);
    }
    connection.answer(new Done());
    Several some = assertInstanceOf(Several.class, connection.sent.getLast());
    assertTrue(some.entries().size() > 1 && some.entries().size() < 12);
    assertTrue(EntryCodec.encode(some).length < Caps.MESSAGE);
  }

  @Test
  void parts_are_sent_alone_for_a_minute_after_a_rejection() {
    append(1, 6);
    for (int i = 0; i < 4; i++) {
      connection.answer(new Done());
    }
    connection.answer(new Rejected("upgrade all members"));
    assertEquals(List.of(entry(5), entry(6)), sent());
    connection.answer(new Done());
    assertEquals(new Done(), replies.get(4).join());
    connection.answer(new Rejected("another reason"));
    assertEquals(new Rejected("another reason"), replies.get(5).join());

    append(7, 12);
    connection.answer(new Done());
    assertEquals(entry(11), connection.sent.getLast());
    share(1, 2);
    assertEquals(poll(2), connection.sent.getLast());

    time.now += TimeUnit.MINUTES.toNanos(1);
    append(13, 14);
    connection.answer(new Done());
    assertInstanceOf(Several.class, connection.sent.getLast());
  }

  @Test
  void polls_that_can_wait_share_a_message() {
    share(1, 3);
    assertEquals(List.of(), sent());
    time.timers.remove().run();
    assertEquals(List.of(new SharedPoll(List.of(poll(1), poll(2), poll(3)))), sent());
    assertEquals(0, time.timers.size());
    Events none = new Events(0, List.of());
    connection.answer(new Reply.Several(List.of(none, new SessionOver(), none)));
    assertEquals(
        List.of(none, new SessionOver(), none),
        replies.stream().map(CompletableFuture::join).toList());
  }

  @Test
  void poll_without_others_is_sent_as_it_is() {
    share(7, 7);
    time.timers.remove().run();
    assertEquals(List.of(poll(7)), sent());
  }

  @Test
  void polls_are_shared_by_a_limited_number_of_sessions() {
    share(1, Caps.SHARED_POLLS + 1);
    time.timers.remove().run();
    assertEquals(
        List.of(Caps.SHARED_POLLS, 1),
        sent().stream()
            .map(each -> each instanceof SharedPoll shared ? shared.polls().size() : 1)
            .toList());
  }
}
