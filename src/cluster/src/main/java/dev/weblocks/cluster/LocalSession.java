package dev.weblocks.cluster;

import java.time.Duration;

/**
 * The session of a user agent of this JVM.
 *
 * @param userAgent the name of the user agent
 * @param id of the session; 0 while there is none
 * @param leaseLeft the time for which its locks are valid without another answer; zero without a
 *     session
 */
public record LocalSession(String userAgent, long id, Duration leaseLeft) {}
