package dev.weblocks.embed;

/**
 * Lock managers that several user agents share, in one JVM or in many: a lock cluster. The module
 * {@code weblocks-cluster} implements it; {@link UserAgent.Builder#lockBackend} takes it. There is
 * no other implementation.
 */
public interface LockBackend {}
