package org.rpx.agent.exported;

/** What is wrong with an archive, without the file's name. */
class GraphException extends RuntimeException {
  private static final long serialVersionUID = 1;

  GraphException(String what) {
    super(what, null, false, false);
  }
}
