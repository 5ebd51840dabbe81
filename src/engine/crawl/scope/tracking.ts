/**
 * Parameters that say where a visitor came from or which session is theirs. Only names that mean nothing else anywhere:
 * `ref` or `source` select content on some sites, `sid` does unless its value is a token that no one would write.
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

const sessionName = /^(?:s|sid|sess|session|session_?id|sessid|token)$/
/** Sixteen and more letters and digits with several digits among them, or a UUID. */
const token = /^(?=(?:\D*\d){3})[\da-z_-]{16,}$/i

/** Whether a query parameter has no say in what the page shows. */
export function isForeignToContent(name: string, value = ''): boolean {
  const lower = name.toLowerCase()
  return names.has(lower) || families.test(lower) || (sessionName.test(lower) && token.test(value))
}
