/**
 * Parameters that say where a visitor came from or which session is theirs. Only names that mean nothing else anywhere:
 * `sid`, `ref`, `source` or `session_id` select content on some sites.
 */
const names = new Set(
  [
    'gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid _ga _gl',
    'fbclid igshid msclkid yclid ysclid ttclid twclid li_fat_id epik rb_clickid s_kwcid',
    'mc_cid mc_eid mkt_tok _hsenc _hsmi __hstc __hssc __hsfp hsctatracking vero_id oly_enc_id oly_anon_id wickedid',
    'phpsessid jsessionid asp.net_sessionid cftoken oscsid',
  ].flatMap((line) => line.split(' ')),
)
const families = /^(?:utm|mtm|matomo|piwik|pk)_/

/** Whether a query parameter has no say in what the page shows. */
export function isForeignToContent(name: string): boolean {
  const lower = name.toLowerCase()
  return names.has(lower) || families.test(lower)
}
