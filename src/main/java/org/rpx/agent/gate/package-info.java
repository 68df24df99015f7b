/** Limits on figures, for scripts and CI. Knows no report: figures come in by name. */
package org.rpx.agent.gate;
