/**
 * The public API: Web Locks, and the web platform around them, for scripts in GraalJS contexts.
 *
 * <p>A {@link UserAgent} is the root of everything, like a browser profile: its scripts share locks
 * and storage by origin. A {@link Driver} decides on which thread and when they run. There are
 * three ways to use this library.
 *
 * <p><b>A context of yours.</b> You make a polyglot {@code Context} and evaluate scripts in it; an
 * {@link Installation} adds {@code navigator.locks}, timers and other globals. You run its event
 * loop, or an executor does. Java code uses the same locks through a {@link LockClient}.
 *
 * {@snippet file="dev/weblocks/embed/EmbeddingExampleTest.java" region="context"}
 *
 * <p><b>Windows.</b> The user agent makes the contexts: a {@link Window} has a document with
 * frames, and any kind of worker. Nothing is read from files or the network except through the
 * {@link ResourceLoader} that you give. By default, agents run on a pool of threads.
 *
 * {@snippet file="dev/weblocks/embed/EmbeddingExampleTest.java" region="window"}
 *
 * <p><b>Experiments.</b> With a {@link DeterministicDriver} a seed, or a {@link
 * dev.weblocks.model.Schedule} of yours, decides the order of all steps, and time is virtual.
 * {@link UserAgent#locks()}, {@link WaitForGraph} and a {@link dev.weblocks.model.TraceListener}
 * show what happens and why; {@link UserAgent.Builder#variants} changes rules of the specification.
 *
 * {@snippet file="dev/weblocks/embed/EmbeddingExampleTest.java" region="experiment"}
 *
 * <p><b>Terms</b> of web specifications, explained in the words of Java:
 *
 * <ul>
 *   <li><i>User agent</i>: the root object, like a browser profile. Its agents share locks and
 *       storage, if they have the same origin.
 *   <li><i>Agent</i>: a polyglot context with its event loop, like an executor with one thread and
 *       a heap of its own. An installation and a worker each have one; so have the documents of one
 *       origin in a window.
 *   <li><i>Realm</i>: a global object with its own built-ins, such as {@code Array}. Each document
 *       and each frame has one; an installation has exactly one. Classes of two class loaders
 *       differ in the same way: an array of one realm is no {@code instanceof Array} of another.
 *   <li><i>Turn</i>: a run of one task of an agent, with the promise callbacks that become due.
 *       Like a {@code Runnable} on an executor with one thread: no other task of the agent
 *       interrupts it.
 *   <li><i>Client</i>: an owner of lock requests and locks: a document, a worker, an installation
 *       or a {@link LockClient}. Its end releases its locks. Threads and callbacks own no locks.
 *   <li><i>Origin</i>: scheme, host and port, such as {@code https://shop.test}. It is the
 *       namespace of locks, channels and storage: one name in two origins is two locks. No such
 *       server needs to exist.
 * </ul>
 *
 * <p>Conventions: options are set by builders; results are {@link
 * java.util.concurrent.CompletableFuture}s; methods refuse null with a {@link NullPointerException}
 * that names the parameter, unless the parameter is annotated as nullable; calls at a wrong time
 * throw an {@link IllegalStateException} that says what to do. The code that makes an object with a
 * {@code close()} closes it, before the objects from which it was made. An absent value is an empty
 * {@code Optional} as a result and null in a record, unless the record documents 0 or an empty
 * text. Types that are not only of this package, such as {@link dev.weblocks.model.LockMode}, are
 * in {@link dev.weblocks.model}.
 *
 * <p>Listeners must not block. An exception of a listener does not disturb what it observes; it is
 * logged at level {@code ERROR} by the {@link System.Logger} {@code dev.weblocks}. Of a console,
 * error or trace listener, only the first exception is logged. Exceptions of a lock watchdog, of
 * {@code onWork} of an installation and of commands that it runs go to the {@link
 * dev.weblocks.model.ErrorListener}.
 */
@NullMarked
package dev.weblocks.embed;

import org.jspecify.annotations.NullMarked;
