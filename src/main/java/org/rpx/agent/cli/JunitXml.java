package org.rpx.agent.cli;

import java.io.Writer;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.rpx.agent.gate.Gate;

/** Gates as a JUnit XML report: a case for each; failed ones fail, inconclusive ones are errors. */
final class JunitXml {
  private JunitXml() {}

  /**
   * Writes one suite.
   *
   * @param model what was measured: the cases' class
   * @param out flushed, not closed
   */
  static void write(String model, List<Gate.Result> results, Writer out) throws XMLStreamException {
    XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out);
    xml.writeStartDocument("UTF-8", "1.0");
    xml.writeStartElement("testsuite");
    xml.writeAttribute("name", "rpx-agent");
    xml.writeAttribute("tests", String.valueOf(results.size()));
    xml.writeAttribute("failures", count(results, Gate.Verdict.FAILED));
    xml.writeAttribute("errors", count(results, Gate.Verdict.INCONCLUSIVE));
    for (Gate.Result result : results) {
      xml.writeStartElement("testcase");
      xml.writeAttribute("classname", printable(model));
      xml.writeAttribute("name", printable(result.gate().text()));
      if (result.verdict() != Gate.Verdict.PASSED) {
        boolean failed = result.verdict() == Gate.Verdict.FAILED;
        xml.writeEmptyElement(failed ? "failure" : "error");
        xml.writeAttribute("type", result.verdict().name());
        xml.writeAttribute("message", printable(result.why()));
      }
      xml.writeEndElement();
    }
    xml.writeEndElement();
    xml.writeEndDocument();
    xml.flush();
  }

  private static String count(List<Gate.Result> results, Gate.Verdict verdict) {
    return String.valueOf(results.stream().filter(r -> r.verdict() == verdict).count());
  }

  /** XML 1.0 has no control characters. */
  private static String printable(String text) {
    return text.replaceAll("[\\p{Cntrl}\\x{FFFE}\\x{FFFF}]|\\p{Cs}", "?");
  }
}
