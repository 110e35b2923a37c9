export { READ_XML_DEFAULTS, type ReadXmlOptions, readXml } from './xml/read-xml.ts';
export { XmlAttribute, XmlCharacters, XmlDocument, XmlElement, type XmlNode } from './xml/xml-document.ts';
