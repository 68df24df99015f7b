package org.rpx.agent.monitor;

/** Ways to call a monitor wrongly; each is counted, none throws. */
enum Misuse {
  BEGIN_WITHOUT_END,
  END_WITHOUT_BEGIN,
  MARK_WITHOUT_BEGIN,
  MARK_OUT_OF_ORDER,
  OTHER_THREAD,
  BAD_VALUE
}
