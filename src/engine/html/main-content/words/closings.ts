const networks = 'twitter|facebook|instagram|telegram|whatsapp|youtube|linkedin|tiktok|google news|flipboard|pinterest'

/** First words of lines after the last sentence of a text: about the site, its channels, its rules, other texts. */
const closings = {
  en: String.raw`(?:follow|like|find|join|visit) .{1,60} on (?:${networks})|(?:subscribe|sign up|register) (?:now|today|here|to|for)|(?:download|get) (?:the|our) (?:\S+ ){0,3}(?:app|newsletter|e-?paper|magazine)|support (?:us|our|independent)|for (?:the latest|more (?:stories|news|from))|(?:read|see|watch|listen)(?: more| also| next| on)?:|more (?:on|from|about) (?:this|the author|our)|stay up|get (?:email|the latest)|(?:this|the) (?:article|story|post|content|piece|recipe) (?:is (?:the )?(?:copyright|property|part of)|(?:was )?(?:first |originally )?(?:published|appeared|posted|written)|is sponsored|contains affiliate)|(?:originally|first) (?:published|appeared) (?:in|on|at|by)|the (?:views|opinions|advertising|content) .{0,80}(?:expressed|disclaimer|those of|do not)|.{2,60} is not responsible for (?:the )?(?:opinions|content)|written permission|reprinting|in case of abuse|(?:advertis\w+|affiliate) disclos|disclosure:|disclaimer|we may (?:receive|earn)|(?:contact|message|call|e-?mail|write to) (?:us|the editor)|image|photos?:|share this|click here to|have (?:a|any) (?:tip|story|question)|do you have`,
  de: String.raw`mehr (?:zum thema|zu diesem|dazu|infos?|informationen|aus|von|lesen)|weitere (?:infos?|informationen|inhalte|artikel|beiträge|themen|meldungen|nachrichten)|alle (?:artikel|beiträge|blogbeiträge|infos)|hier (?:geht es|geht['’]s|gehts|finden sie|findest du|klicken)|(?:lesen|sehen|hören) sie|lies (?:auch|mehr)|(?:jetzt|hier) .{0,40}(?:abonnieren|anmelden|bestellen|herunterladen|spenden|registrieren)|folgen? (?:sie |du )?(?:uns|mir)|unterstütze|dies(?:er|e|es) (?:beitrag|artikel|text|interview|meldung|rezept|inhalt) (?:ist|wurde|erschien|gibt|enthält|stammt|entspricht)|der (?:beitrag|artikel|text) (?:ist|wurde|erschien|gibt)|(?:quellen?|themen|stichworte|schlagw[oö]rte?r?|tags|autor(?:in)?|kontakt|pressekontakt|info zur|infos? zu[rm]?|bild(?:er)?|fotos?)\b.{0,3}(?::|$)|zur person|(?:über|zum|zur) (?:den |die )?autor|(?:das|diese) (?:thema|themen|könnte|artikel|beiträge) .{0,20}(?:interessieren|gefallen)|\*|.{0,40}(?:affiliate|provision)|weiter(?:lesen)?(?: zu\b|:|$)|top \d+`,
  es: String.raw`síguenos|sigue (?:a|todas)|suscríbe|suscribir|lea también|leer también|lee (?:también|más)|te puede interesar|contenido relacionado|(?:¡|¿)?(?:mira|ya sabías|descarga|únete|quieres)|más (?:sobre|en|noticias)|fuente:|foto:|si (?:quieres|desea)`,
  fr: String.raw`à lire aussi|lire (?:aussi|également|la suite)|pour (?:lire la suite|en savoir plus|aller plus loin)|abonnez|suivez|retrouvez|inscrivez|(?:source|crédit|photo)s? ?:|voir aussi|partagez`,
  it: String.raw`leggi anche|segui(?:ci)?\b|iscriviti|scarica|fonte:|foto:|potrebbe interessar`,
  pl: String.raw`źródło:|zapraszamy|czytaj (?:też|także|więcej)|zobacz (?:też|także)|fot\.`,
  pt: String.raw`leia (?:também|mais)|siga|assine|inscreva|fonte:|foto:|veja também`,
  nl: String.raw`lees (?:ook|meer|verder)|volg (?:ons|ook)|bron:|foto:|meer over`,
}

const closing = new RegExp(`^(?:[-–—•►▶→»>*\\s]*)(?:${Object.values(closings).join('|')})`, 'iu')

/** True for words that come after the end of an article. */
export const closesArticle = (words: string) => closing.test(words)
