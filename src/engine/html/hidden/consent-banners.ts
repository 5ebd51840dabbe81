import { classOf, type Element, elementsIn, oneLine, visit } from '../dom/dom-tree.ts'

/**
 * Classes, ids and element names of the containers of consent managers. In a browser, autoconsent handles them; a test
 * checks this list against its rules.
 */
const containers: Readonly<Record<string, string>> = {
  Adroll: 'adroll_consent_container',
  Amazon: 'sp-cc-wrapper awsccc-cb-content awsccc-cs-container awsccc-cs-modaloverlay awsccc-cs-container-inner',
  Axeptio: 'axeptio_widget axeptio_mount axeptio_overlay',
  Borlabs: 'borlabscookiebox borlabscookieboxwidget borlabs-cookie brlbs-cmpnt-dialog',
  Civic: 'ccc-module ccc-overlay ccc-notify',
  Clickio: 'cl-consent',
  Complianz: 'cmplz-cookiebanner-container cmplz-cookiebanner cmplz-manage-consent cmplz-soft-cookiewall',
  consentmanager: 'cmpbox cmpbox2 cmpwrapper',
  Consentmo: 'csm-cookie-consent',
  Cookiebot:
    'cybotcookiebotdialog cybotcookiebotdialogbodyunderlay cookiebotwidget dtcookie-container cb-cookieoverlay',
  CookieConsent: 'cc-window cc-revoke cc_banner-wrapper cc--main cc-main cookieconsent:desc',
  CookieFirst: 'cookiefirst-root',
  CookieHub: 'ch2-container ch2-dialog ch2-settings',
  CookieInformation: 'cookie-information-template-wrapper coioverlay coi-banner-wrapper',
  CookieLawInfo:
    'cookie-law-info-bar cookie-law-info-again cookie-law-bg clisettingspopup cli-modal cli-popupbar-overlay',
  CookieScript: 'cookiescript_injected cookiescript_injected_wrapper cookiescript_injected_fsd cookiescript_badge',
  CookieYes:
    'cky-consent-container cky-consent-bar cky-overlay cky-modal cky-preference-center cky-btn-revisit-wrapper',
  CTUltimate: 'ct-ultimate-gdpr-cookie-popup ct-ultimate-gdpr-cookie-modal',
  DataGrail: 'dg-consent-banner',
  Didomi:
    'didomi-host didomi-popup didomi-notice didomi-popup-container didomi-popup-notice didomi-popup-backdrop didomi-consent-popup-preferences didomi-screen-medium',
  Drupal: 'sliding-popup eu-cookie-compliance-banner eu-cookie-withdraw-wrapper',
  EUCookieLaw: 'pea_cook_wrapper pea_cook_more_info_popover widget_eu_cookie_law_widget',
  Evidon: '_evidon_banner _evidon-banner',
  Ezoic: 'ez-cookie-dialog-wrapper ez-cookie-dialog',
  FastCMP: 'fast-cmp-root',
  Fides: 'fides-overlay fides-overlay-wrapper fides-banner',
  Finsweet: 'fs-cc-components fs-cc-banner_component',
  FundingChoices: 'fc-consent-root fc-dialog-container fc-dialog-overlay fc-dialog-content',
  HubSpot: 'hs-eu-cookie-confirmation hs-banner-parent',
  HuManity: 'hu-wrapper',
  iubenda: 'iubenda-cs-banner iubenda-cs-container',
  Ketch: 'ketch-banner ketch-modal ketch-consent-banner',
  Klaro: 'klaro',
  LGCookies: 'lgcookieslaw_banner lgcookieslaw_modal lgcookieslaw-modal lgcookieslaw-overlay lgcookieslaw_overlay',
  Moove: 'moove_gdpr_cookie_info_bar moove_gdpr_cookie_modal moove_gdpr_save_popup_settings_button',
  OneTrust:
    'onetrust-consent-sdk onetrust-banner-sdk onetrust-pc-sdk onetrust-pc-dark-filter optanon-alert-box-wrapper optanon-popup-wrapper',
  Openli: 'legalmonster-cleanslate',
  Osano: 'osano-cm-window osano-cm-dialog osano-cm-info-dialog osano-cm-widget',
  Pandectes: 'pandectes-banner',
  Piano: 'piano-cookie_banner',
  Pubtech: 'pubtech-cmp',
  Quantcast: 'qc-cmp2-container qc-cmp2-main qc-cmp2-ui qc-cmp-ui-container qc-cmp-cleanslate',
  Shopify: 'shopify-pc__banner shopify-pc__prefs__dialog',
  Sibbo: 'sibbo-cmp-layout',
  Sirdata: 'sd-cmp',
  Snigel: 'snigel-cmp-framework',
  Sourcepoint: 'sp_privacy_manager_container sp_message_container',
  Squarespace: 'cookie-banner-mount-point sqs-cookie-banner-v2',
  tarteaucitron: 'tarteaucitronroot tarteaucitronalertbig',
  Tealium: '__tealiumgdprecmodal __tealiumgdprcpprefs __tealiumimplicitmodal',
  Termly: 'termly-code-snippet-support',
  TermsFeed: 'termsfeed-com---nb termsfeed-com---palette-dark termsfeed-com---palette-light',
  Transcend: 'transcend-consent-manager',
  TrustArc:
    'truste-consent truste-consent-track truste-consent-content consent_blackbar truste_popframe truste_overlay truste_box_overlay trustarc-banner-container',
  Truyo: 'truyo-consent-module truyo-cookiebarcontent',
  Usercentrics: 'usercentrics-root usercentrics-cmp-ui usercentrics-button uc-banner-modal',
  WPConsent: 'gdpr-cookie-consent-bar wpcc-container catapult-cookie-bar',
}

const known = new Set(Object.values(containers).flatMap((names) => names.split(' ')))
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
