package dev.weblocks.cluster.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.cluster.machine.Entry.Batch;
import dev.weblocks.cluster.machine.Entry.ExpireSession;
import dev.weblocks.cluster.machine.Entry.JoinMember;
import dev.weblocks.cluster.machine.Entry.OpenSession;
import dev.weblocks.cluster.machine.Entry.RaiseVersion;
import dev.weblocks.cluster.machine.Entry.Several;
import dev.weblocks.cluster.machine.Query.Poll;
import dev.weblocks.cluster.machine.Query.SharedPoll;
import dev.weblocks.cluster.machine.Reply.Events;
import dev.weblocks.cluster.machine.Reply.NotLeading;
import dev.weblocks.cluster.machine.Reply.Opened;
import dev.weblocks.cluster.machine.Reply.SessionOver;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaderSessionsTest {

  private static final UUID SECRET = new UUID(0, 1);
  private static final ClientId CLIENT = new ClientId("client");
  private static final long LEASE_MILLIS = 10_000;
  private static final RegisterClient REGISTER =
      new RegisterClient(CLIENT, new LockRequester("agent", "", ""));

  private final ClusterMachine machine = new ClusterMachine();
  private final LeaderSessions leaderSessions = new LeaderSessions(machine, Runnable::run);
  private long session;
  private long commands;
  private long acknowledged;

  @BeforeEach
  void openASession() {
    leaderSessions.becomeLeader(0);
    Entry open = new OpenSession(SECRET, "shop", "user", LEASE_MILLIS, Set.of());
    session = assertInstanceOf(Opened.class, apply(open, 0)).session();
    batch(0, REGISTER);
  }

  private void batch(long seconds, LockCommand command) {
    apply(new Batch(session, SECRET, 0, ++commands, List.of(command)), seconds);
  }

  private Reply apply(Entry entry, long seconds) {
    return leaderSessions.apply(entry, 1, 0, nanos(seconds));
  }

  private void request(long seconds) {
    batch(
        seconds,
        new RequestLock(
            new RequestId(CLIENT, commands),
            new ManagerId("m", "default"),
            LockOptions.of("a", LockMode.EXCLUSIVE, WaitMode.WAIT)));
  }

  private void stealFromAnotherSession() {
    UUID secret = new UUID(0, 2);
    Entry open = new OpenSession(secret, "shop", "thief", LEASE_MILLIS, Set.of());
    long thief = assertInstanceOf(Opened.class, machine.apply(open, 1, 0)).session();
    RequestLock steal =
        new RequestLock(
            new RequestId(CLIENT, 1),
            new ManagerId("m", "default"),
            LockOptions.of("a", LockMode.EXCLUSIVE, WaitMode.STEAL));
    apply(new Batch(thief, secret, 0, 1, List.of(REGISTER, steal)), 1);
  }

  private CompletableFuture<Reply> poll(long seconds) {
    return leaderSessions.read(new Poll(session, SECRET, acknowledged), nanos(seconds));
  }

  private static long nanos(long seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void a_poll_waits_for_an_event_that_another_session_causes() {
    request(1);
    acknowledged = 1;
    CompletableFuture<Reply> answer = poll(1);
    assertFalse(answer.isDone());
    stealFromAnotherSession();
    assertEquals(1, assertInstanceOf(Events.class, answer.join()).events().size());
    assertTrue(poll(1).isDone());
  }

  @Test
  void a_poll_waits_while_the_reply_to_a_batch_has_the_events() {
    CompletableFuture<Reply> answer = poll(1);
    request(1);
    assertFalse(answer.isDone());
    assertTrue(poll(1).isDone());
  }

  @Test
  void a_poll_is_answered_after_a_second_without_events() {
    CompletableFuture<Reply> answer = poll(1);
    leaderSessions.collectSilent(nanos(1));
    assertFalse(answer.isDone());
    leaderSessions.collectSilent(nanos(2));
    assertEquals(List.of(), assertInstanceOf(Events.class, answer.join()).events());
  }

  @Test
  void the_next_poll_answers_the_one_before() {
    CompletableFuture<Reply> before = poll(1);
    CompletableFuture<Reply> next = poll(1);
    assertTrue(before.isDone());
    assertFalse(next.isDone());
  }

  @Test
  void only_a_session_that_is_silent_for_its_lease_expires() {
    poll(3);
    assertEquals(List.of(), leaderSessions.collectSilent(nanos(13)));
    assertEquals(List.of(new ExpireSession(session, 1)), leaderSessions.collectSilent(nanos(14)));
    assertEquals(List.of(), leaderSessions.collectSilent(nanos(15))); // it is on its way
  }

  @Test
  void a_batch_is_a_sign_of_life() {
    request(5);
    assertEquals(List.of(), leaderSessions.collectSilent(nanos(15)));
    assertEquals(1, leaderSessions.collectSilent(nanos(16)).size());
  }

  @Test
  void batch_with_another_secret_is_no_sign_of_life() {
    for (int second = 1; second <= 11; second++) {
      apply(new Batch(session, new UUID(0, 0), 0, 1, List.of()), second);
    }
    assertEquals(1, leaderSessions.collectSilent(nanos(11)).size());
  }

  @Test
  void batch_with_another_secret_does_not_hold_back_events() {
    request(1);
    acknowledged = 1;
    CompletableFuture<Reply> answer = poll(1);
    stealFromAnotherSession();
    assertTrue(answer.isDone());
    acknowledged = 2;
    CompletableFuture<Reply> next = poll(2);
    apply(new Batch(session, new UUID(0, 0), 0, 1, List.of()), 2);
    assertFalse(next.isDone());
  }

  @Test
  void replies_of_one_message_repeat_a_limited_number_of_events() {
    for (int i = 0; i < 500; i++) {
      request(1);
      batch(1, new ReleaseLock(new RequestId(CLIENT, commands - 1)));
    }
    List<Entry> copies = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      copies.add(new Batch(session, SECRET, 0, commands + 1, List.of()));
    }
    Reply.Several reply = assertInstanceOf(Reply.Several.class, apply(new Several(copies), 2));
    long events =
        reply.replies().stream()
            .mapToLong(each -> assertInstanceOf(Events.class, each).events().size())
            .sum();
    assertTrue(events > 500 && events < 20_000, events + " events");
  }

  @Test
  void poll_brings_the_events_that_a_reply_has_left_out() {
    CompletableFuture<Reply> answer = poll(1);
    List<LockCommand> many = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      many.add(
          new RequestLock(
              new RequestId(CLIENT, 1_000 + i),
              new ManagerId("m", "default"),
              LockOptions.of("b" + i, LockMode.EXCLUSIVE, WaitMode.WAIT)));
    }
    Reply reply = apply(new Batch(session, SECRET, 0, commands + 1, many), 1);
    assertTrue(assertInstanceOf(Events.class, reply).events().size() < 2_000);
    assertTrue(answer.isDone());
  }

  @Test
  void newest_rules_begin_once_all_joined_members_can_follow_them() {
    assertNull(leaderSessions.collectRaise());
    apply(new JoinMember("n2", new UUID(1, 2), EntryCodec.VERSION - 1), 1);
    apply(new JoinMember("n1", new UUID(1, 1), EntryCodec.VERSION), 1);
    assertNull(leaderSessions.collectRaise());
    apply(new JoinMember("n2", new UUID(1, 2), EntryCodec.VERSION), 1);
    RaiseVersion raise = leaderSessions.collectRaise();
    assertEquals(new RaiseVersion(EntryCodec.VERSION), raise);
    assertNull(leaderSessions.collectRaise(), "one is on its way");
    leaderSessions.raiseFailed();
    assertEquals(raise, leaderSessions.collectRaise());
    apply(raise, 2);
    assertNull(leaderSessions.collectRaise());
  }

  @Test
  void no_poll_is_answered_while_the_session_is_about_to_expire() {
    ExpireSession expiry = leaderSessions.collectSilent(nanos(11)).getFirst();
    CompletableFuture<Reply> answer = poll(11);
    leaderSessions.collectSilent(nanos(20));
    assertFalse(answer.isDone());
    apply(expiry, 20);
    assertEquals(new SessionOver(), answer.join());
  }

  @Test
  void next_poll_does_not_renew_a_session_that_is_about_to_expire() {
    assertEquals(1, leaderSessions.collectSilent(nanos(11)).size());
    CompletableFuture<Reply> before = poll(11);
    CompletableFuture<Reply> next = poll(11);
    assertInstanceOf(NotLeading.class, before.join());
    assertFalse(next.isDone());
  }

  @Test
  void a_poll_is_answered_after_an_expiry_that_could_not_be_written() {
    ExpireSession expiry = leaderSessions.collectSilent(nanos(11)).getFirst();
    CompletableFuture<Reply> answer = poll(11);
    leaderSessions.expiryFailed(expiry);
    leaderSessions.collectSilent(nanos(13));
    assertInstanceOf(Events.class, answer.join());
  }

  @Test
  void poll_that_is_answered_after_a_failed_expiry_renews_the_session() {
    ExpireSession expiry = leaderSessions.collectSilent(nanos(11)).getFirst();
    CompletableFuture<Reply> answer = poll(11);
    leaderSessions.expiryFailed(expiry);
    assertEquals(List.of(), leaderSessions.collectSilent(nanos(13)));
    assertTrue(answer.isDone());
    assertEquals(List.of(), leaderSessions.collectSilent(nanos(21)));
  }

  @Test
  void poll_that_is_answered_after_an_expiry_that_came_late_renews_the_session() {
    ExpireSession expiry = leaderSessions.collectSilent(nanos(11)).getFirst();
    request(11);
    acknowledged = 1;
    CompletableFuture<Reply> answer = poll(13);
    assertFalse(answer.isDone());
    apply(expiry, 13);
    assertInstanceOf(Events.class, answer.join());
    assertEquals(List.of(), leaderSessions.collectSilent(nanos(23)));
  }

  @Test
  void a_new_leader_starts_all_leases_anew() {
    leaderSessions.becomeFollower();
    leaderSessions.becomeLeader(nanos(100));
    assertEquals(List.of(), leaderSessions.collectSilent(nanos(110)));
    assertEquals(1, leaderSessions.collectSilent(nanos(111)).size());
  }

  private CompletableFuture<Reply> share(long seconds, Poll... polls) {
    return leaderSessions.read(new SharedPoll(List.of(polls)), nanos(seconds));
  }

  private Poll own() {
    return new Poll(session, SECRET, acknowledged);
  }

  private Poll other() {
    UUID secret = new UUID(0, 3);
    Entry open = new OpenSession(secret, "shop", "other", LEASE_MILLIS, Set.of());
    return new Poll(assertInstanceOf(Opened.class, apply(open, 0)).session(), secret, 0);
  }

  private static List<Class<?>> kinds(CompletableFuture<Reply> answer) {
    return assertInstanceOf(Reply.Several.class, answer.join()).replies().stream()
        .<Class<?>>map(Reply::getClass)
        .toList();
  }

  @Test
  void shared_poll_is_answered_for_all_when_one_has_an_event() {
    request(1);
    acknowledged = 1;
    CompletableFuture<Reply> answer = share(1, other(), own());
    assertFalse(answer.isDone());
    stealFromAnotherSession();
    List<Reply> replies = assertInstanceOf(Reply.Several.class, answer.join()).replies();
    assertEquals(new Events(0, List.of()), replies.get(0));
    assertEquals(1, assertInstanceOf(Events.class, replies.get(1)).events().size());
  }

  @Test
  void shared_poll_is_a_sign_of_life_of_each_session() {
    Poll other = other();
    CompletableFuture<Reply> answer = share(9, own(), other);
    leaderSessions.collectSilent(nanos(10));
    assertEquals(List.of(Events.class, Events.class), kinds(answer));
    assertEquals(List.of(), leaderSessions.collectSilent(nanos(19)));
    assertEquals(2, leaderSessions.collectSilent(nanos(20)).size());
  }

  @Test
  void shared_poll_tells_which_session_is_over() {
    assertEquals(
        List.of(Events.class, SessionOver.class), kinds(share(1, own(), new Poll(99, SECRET, 0))));
  }

  @Test
  void shared_poll_does_not_renew_a_session_that_is_about_to_expire() {
    Poll other = other();
    leaderSessions.read(other, nanos(5));
    assertEquals(1, leaderSessions.collectSilent(nanos(11)).size());
    CompletableFuture<Reply> answer = share(11, own(), other);
    assertFalse(answer.isDone());
    leaderSessions.collectSilent(nanos(12));
    assertEquals(List.of(NotLeading.class, Events.class), kinds(answer));
  }

  @Test
  void next_shared_poll_answers_the_one_before() {
    Poll other = other();
    CompletableFuture<Reply> before = share(1, own(), other);
    CompletableFuture<Reply> next = share(1, other);
    assertEquals(List.of(Events.class, Events.class), kinds(before));
    assertFalse(next.isDone());
    assertFalse(poll(1).isDone(), "as nothing is left of the first one");
  }

  @Test
  void events_of_a_later_part_answer_the_poll_of_an_earlier_one() {
    request(1);
    acknowledged = 1;
    CompletableFuture<Reply> answer = poll(1);
    Poll thief = other();
    RequestLock steal =
        new RequestLock(
            new RequestId(CLIENT, 1),
            new ManagerId("m", "default"),
            LockOptions.of("a", LockMode.EXCLUSIVE, WaitMode.STEAL));
    Reply reply =
        apply(
            new Several(
                List.of(
                    new Batch(session, SECRET, 1, commands + 1, List.of()),
                    new Batch(thief.session(), thief.secret(), 0, 1, List.of(REGISTER, steal)))),
            2);
    List<Reply> replies = assertInstanceOf(Reply.Several.class, reply).replies();
    assertEquals(new Events(2, List.of()), replies.get(0));
    assertEquals(1, assertInstanceOf(Events.class, replies.get(1)).events().size());
    assertEquals(1, assertInstanceOf(Events.class, answer.join()).events().size());
  }

  @Test
  void whoever_asks_a_member_that_does_not_lead_hears_it() {
    CompletableFuture<Reply> waiting = poll(1);
    leaderSessions.becomeFollower();
    assertInstanceOf(NotLeading.class, waiting.join());
    assertInstanceOf(NotLeading.class, poll(1).join());
    assertEquals(List.of(), leaderSessions.collectSilent(nanos(100)));
  }
}
