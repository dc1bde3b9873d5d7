package dev.weblocks.lockmanager.message;

/**
 * A client as shown by diagnoses. The lock managers do not depend on it.
 *
 * @param url of the document or worker; empty for Java code
 * @param origin serialized
 */
public record LockRequester(String agent, String url, String origin) {}
