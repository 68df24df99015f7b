/**
 * The recorder that a control loop carries for good: latency by stage, deadline misses, and a black
 * box of the last cycles. It knows no other room and no library but the JDK.
 */
package org.rpx.agent.monitor;
