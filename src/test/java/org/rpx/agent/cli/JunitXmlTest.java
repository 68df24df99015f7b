package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.rpx.agent.gate.Figure;
import org.rpx.agent.gate.Gate;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class JunitXmlTest {
  @Test
  void isReadByParsers() throws Exception {
    Map<String, Figure> figures =
        Map.of(
            "p50_ms", Figure.estimate(2, 1, 3),
            "flops", Figure.exact(10),
            "params", Figure.exact(1));
    StringWriter out = new StringWriter();
    JunitXml.write(
        "a<b>\u0001.pt",
        List.of(
            Gate.parse("params<=1").judge(figures, null),
            Gate.parse("flops<=9").judge(figures, null),
            Gate.parse("p50_ms<=2").judge(figures, null)),
        out);
    Document read =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(out.toString())));
    Element suite = read.getDocumentElement();
    assertThat(suite.getAttribute("tests")).isEqualTo("3");
    assertThat(suite.getAttribute("failures")).isEqualTo("1");
    assertThat(suite.getAttribute("errors")).isEqualTo("1");
    Element second = (Element) suite.getElementsByTagName("testcase").item(1);
    assertThat(second.getAttribute("classname")).isEqualTo("a<b>?.pt");
    assertThat(second.getAttribute("name")).isEqualTo("flops<=9");
    assertThat(((Element) second.getElementsByTagName("failure").item(0)).getAttribute("message"))
        .isEqualTo("flops is 10.0");
  }
}
