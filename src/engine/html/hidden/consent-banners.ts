import { classOf, type Element, elementsIn, oneLine, visit } from '../dom/dom-tree.ts'

/**
 * Classes, ids and element names of the containers of consent managers, sorted by manager. In a browser,
 * autoconsent handles them; a test checks this list against its rules.
 */
const containers = `
  adroll_consent_container sp-cc-wrapper awsccc-cb-content awsccc-cs-container awsccc-cs-modaloverlay
  awsccc-cs-container-inner axeptio_widget axeptio_mount axeptio_overlay borlabscookiebox borlabscookieboxwidget
  borlabs-cookie brlbs-cmpnt-dialog ccc-module ccc-overlay ccc-notify cl-consent cmplz-cookiebanner-container
  cmplz-cookiebanner cmplz-manage-consent cmplz-soft-cookiewall cmpbox cmpbox2 cmpwrapper csm-cookie-consent
  cybotcookiebotdialog cybotcookiebotdialogbodyunderlay cookiebotwidget dtcookie-container cb-cookieoverlay
  cc-window cc-revoke cc_banner-wrapper cc--main cc-main cookieconsent:desc cookiefirst-root ch2-container
  ch2-dialog ch2-settings cookie-information-template-wrapper coioverlay coi-banner-wrapper cookie-law-info-bar
  cookie-law-info-again cookie-law-bg clisettingspopup cli-modal cli-popupbar-overlay cookiescript_injected
  cookiescript_injected_wrapper cookiescript_injected_fsd cookiescript_badge cky-consent-container cky-consent-bar
  cky-overlay cky-modal cky-preference-center cky-btn-revisit-wrapper ct-ultimate-gdpr-cookie-popup
  ct-ultimate-gdpr-cookie-modal dg-consent-banner didomi-host didomi-popup didomi-notice didomi-popup-container
  didomi-popup-notice didomi-popup-backdrop didomi-consent-popup-preferences didomi-screen-medium sliding-popup
  eu-cookie-compliance-banner eu-cookie-withdraw-wrapper pea_cook_wrapper pea_cook_more_info_popover
  widget_eu_cookie_law_widget _evidon_banner _evidon-banner ez-cookie-dialog-wrapper ez-cookie-dialog fast-cmp-root
  fides-overlay fides-overlay-wrapper fides-banner fs-cc-components fs-cc-banner_component fc-consent-root
  fc-dialog-container fc-dialog-overlay fc-dialog-content hs-eu-cookie-confirmation hs-banner-parent hu-wrapper
  iubenda-cs-banner iubenda-cs-container ketch-banner ketch-modal ketch-consent-banner klaro lgcookieslaw_banner
  lgcookieslaw_modal lgcookieslaw-modal lgcookieslaw-overlay lgcookieslaw_overlay moove_gdpr_cookie_info_bar
  moove_gdpr_cookie_modal moove_gdpr_save_popup_settings_button onetrust-consent-sdk onetrust-banner-sdk
  onetrust-pc-sdk onetrust-pc-dark-filter optanon-alert-box-wrapper optanon-popup-wrapper legalmonster-cleanslate
  osano-cm-window osano-cm-dialog osano-cm-info-dialog osano-cm-widget pandectes-banner piano-cookie_banner
  pubtech-cmp qc-cmp2-container qc-cmp2-main qc-cmp2-ui qc-cmp-ui-container qc-cmp-cleanslate shopify-pc__banner
  shopify-pc__prefs__dialog sibbo-cmp-layout sd-cmp snigel-cmp-framework sp_privacy_manager_container
  sp_message_container cookie-banner-mount-point sqs-cookie-banner-v2 tarteaucitronroot tarteaucitronalertbig
  __tealiumgdprecmodal __tealiumgdprcpprefs __tealiumimplicitmodal termly-code-snippet-support termsfeed-com---nb
  termsfeed-com---palette-dark termsfeed-com---palette-light transcend-consent-manager truste-consent
  truste-consent-track truste-consent-content consent_blackbar truste_popframe truste_overlay truste_box_overlay
  trustarc-banner-container truyo-consent-module truyo-cookiebarcontent usercentrics-root usercentrics-cmp-ui
  usercentrics-button uc-banner-modal gdpr-cookie-consent-bar wpcc-container catapult-cookie-bar`
const known = new Set(containers.trim().split(/\s+/))
/** Sourcepoint numbers its containers. */
const numbered = /^sp_message_container_\d+$/

/** True if one of the lower-case classes and ids names the container of a consent manager. */
export const namesConsentManager = (words: readonly string[]): boolean =>
  words.some((word) => known.has(word) || numbered.test(word))

/** Names of custom banners, but also of chapters in privacy policies. */
const bannerName =
  /^(?:eu[-_])?(?:cookies?|gdpr|ccpa|consent|privacy)[-_]?(?:law[-_]?)?(?:banner|bar|notice|consent|popup|pop-up|modal|dialog|overlay|alert|message|disclaimer)(?:[-_](?:banner|bar|popup|modal|dialog|overlay|container|wrapper|box|root))?$/
/** Maximum source characters of a banner; banners are short. */
const maxBanner = 3000

/**
 * Removes consent banners: those of consent managers, and others with such a name that contain an answer button.
 * Banners that the caller selected stay.
 */
export function dropConsentBanners(body: Element, picked: readonly Element[]): void {
  const kindOf = createClassifier()
  const selected = picked.filter(kindOf)
  visit(body, (element) => {
    const kind = kindOf(element)
    if (!kind || selected.some((banner) => banner.contains(element))) return
    if ((kind === 'manager' || isBanner(element)) && !holdsPage(element)) element.remove()
  })
}

type BannerKind = 'manager' | 'banner' | undefined

/** Classifies elements by their names, each name once, because most recur. */
function createClassifier(): (element: Element) => BannerKind {
  const seen = new Map<string, BannerKind>()
  const read = (names: string) => {
    if (!seen.has(names)) seen.set(names, kindNamed(names.toLowerCase().split(/\s+/)))
    return seen.get(names)
  }
  return (element) => {
    const names = classOf(element)
    const id = element.getAttribute('id')
    return (names ? read(names) : undefined) ?? (id ? read(id) : undefined) ?? read(element.localName)
  }
}

function kindNamed(words: readonly string[]): BannerKind {
  if (namesConsentManager(words)) return 'manager'
  return words.some((word) => bannerName.test(word)) ? 'banner' : undefined
}

const holdsPage = (element: Element) =>
  elementsIn(element).some(({ localName }) => /^(?:main|article)$/.test(localName))

function isBanner(element: Element): boolean {
  const text = element.textContent
  return (
    text.length <= maxBanner &&
    /cookie|consent|privacy|gdpr|datenschutz/i.test(text) &&
    elementsIn(element).some(isAnswer)
  )
}

const answer =
  /^(?:i |yes,? )?(?:accept|agree|allow|consent|reject|decline|refuse|deny|got it|ok(?:ay)?|understood|dismiss|only necessary|necessary only|akzeptieren|alle akzeptieren|zustimmen|ablehnen|einverstanden|verstanden|accepter|tout accepter|refuser|j.accepte|aceptar|rechazar|accett[ao]|rifiuta|aceitar|rejeitar|accepteren|weigeren|godkänn|acceptera|tillad|hyväksy|akceptuję?|zgadzam|odrzuć|souhlasím|принять|согласен|同意|接受|拒绝|동의)/i

function isAnswer(element: Element): boolean {
  const { localName } = element
  if (localName === 'input') return answer.test(element.getAttribute('value')?.trim() ?? '')
  const isControl = localName === 'button' || localName === 'a' || element.getAttribute('role') === 'button'
  return isControl && answer.test(oneLine(element.textContent))
}
