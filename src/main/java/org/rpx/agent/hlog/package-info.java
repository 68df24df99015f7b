/** A monitor's histograms as HdrHistogram's interval logs. Needs org.hdrhistogram:HdrHistogram. */
package org.rpx.agent.hlog;
