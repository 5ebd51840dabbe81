/** Hosts that serve only advertising and tracking; subdomains are included. */
const builtIn = `
2mdn.net 33across.com 360yield.com 3lift.com a-mo.net aaxads.com ad.gt adcolony.com addthis.com adform.net adgrx.com
adition.com adjust.com adkernel.com admixer.net adnxs.com adnxs-simple.com adroll.com adsafeprotected.com adscale.de
adsrvr.org adsymptotic.com adtech.de adtelligent.com adthrive.com advertising.com adzerk.net agkn.com amazon-adsystem.com
amplitude.com app-measurement.com appnexus.com appsflyer.com atdmt.com bat.bing.com bidswitch.net bluekai.com bluecava.com
bounceexchange.com branch.io brealtime.com bttrack.com c.amazon-adsystem.com casalemedia.com chartbeat.com chartbeat.net
clarity.ms clickagy.com clicktale.net cognitivlabs.com connatix.com connect.facebook.net contextweb.com conversantmedia.com
crazyegg.com criteo.com criteo.net crwdcntrl.net cxense.com demdex.net districtm.io dotomi.com doubleclick.net doubleverify.com
dpm.demdex.net dynatrace-managed.com effectivemeasure.net emxdgt.com en25.com everesttech.net exelator.com exoclick.com
eyeota.net fastclick.net flashtalking.com fls.doubleclick.net fullstory.com gemius.pl go-mpulse.net google-analytics.com
googleadservices.com googlesyndication.com googletagmanager.com googletagservices.com gumgum.com heapanalytics.com
hotjar.com hotjar.io hs-analytics.net hs-banner.com hubspotusercontent-analytics.com id5-sync.com imasdk.googleapis.com
imrworldwide.com indexww.com innovid.com inspectlet.com intentiq.com ipredictive.com juicyads.com kargo.com kissmetrics.com
kissmetrics.io krxd.net ladsp.com lijit.com liveintent.com liveramp.com lngtd.com lockerdome.com loggly.com lytics.io
matheranalytics.com mathtag.com media.net mediamath.com mediavine.com mgid.com mixpanel.com ml314.com moatads.com mookie1.com
mouseflow.com mxpnl.com narrativ.com nativo.com newrelic.com nr-data.net oath-analytics.com omtrdc.net omnitagjs.com
onaudience.com onetag-sys.com openx.net optimizely.com outbrain.com outbrainimg.com owneriq.net parsely.com permutive.com
permutive.app pippio.com pixel.wp.com playground.xyz popads.net popcash.net postrelease.com propellerads.com pubmatic.com
pubmine.com quantcast.com quantserve.com quantcount.com rayjump.com realsrv.com revcontent.com rfihub.com rkdms.com
rlcdn.com roivenue.com rubiconproject.com rudderstack.com sail-horizon.com samplicio.us scarabresearch.com
scorecardresearch.com segment.com segment.io servedby.flashtalking.com serving-sys.com sharethis.com sharethrough.com
simpli.fi sitescout.com skimresources.com smaato.net smartadserver.com smartclip.net snigelweb.com sonobi.com sovrn.com
spotxchange.com springserve.com static.ads-twitter.com stackadapt.com statcounter.com stats.wp.com steelhousemedia.com
taboola.com tapad.com tapjoy.com tealiumiq.com teads.tv tiqcdn.com tr.snapchat.com trafficjunky.net treasuredata.com
tremorhub.com tribalfusion.com truoptik.com turn.com tynt.com undertone.com unrulymedia.com usabilla.com vdopia.com
viafoura.co vidoomy.com w55c.net webtrends.com webtrekk.net widespace.com yieldlab.net yieldlove.com yieldmo.com
yldbt.com zedo.com zemanta.com zergnet.com ads.linkedin.com px.ads.linkedin.com ads.pinterest.com ct.pinterest.com
analytics.tiktok.com ads.tiktok.com analytics.twitter.com ads-twitter.com ads.yahoo.com analytics.yahoo.com
mc.yandex.ru an.yandex.ru counter.yadro.ru top-fwz1.mail.ru hm.baidu.com cnzz.com umeng.com`

/** Hosts of its vendor that Chromium contacts, regardless of its command-line switches. */
const ofBrowserMaker = `
clients1.google.com clients2.google.com clients3.google.com clients4.google.com clients5.google.com clients6.google.com
update.googleapis.com accounts.google.com optimizationguide-pa.googleapis.com content-autofill.googleapis.com
safebrowsing.googleapis.com redirector.gvt1.com edgedl.me.gvt1.com android.clients.google.com mtalk.google.com
passwordsleakcheck-pa.googleapis.com chrome.google.com`

export type HostList = { holds(host: string): boolean; size: number }

/** Creates the list for `blockAds`: the built-in hosts and those of the operator's lists. */
export function createAdHosts(lists: readonly string[] = []): HostList {
  return listOf([...words(builtIn), ...lists.flatMap(hostsIn)])
}

export const browserMakerHosts: HostList = listOf(words(ofBrowserMaker))

function listOf(hosts: readonly string[]): HostList {
  const all = new Set(hosts)
  return {
    size: all.size,
    holds(host) {
      const labels = host.toLowerCase().replace(/\.$/, '').split('.')
      return labels.some((_, at) => at < labels.length - 1 && all.has(labels.slice(at).join('.')))
    },
  }
}

const hostName = /^(?=.{4,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)+$/

/** Returns the hosts of a text in hosts-file or EasyList format; element-hiding rules are ignored. */
export function hostsIn(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => hostOf(line.trim().toLowerCase()) ?? [])
}

/**
 * Parses one line. `||host^` and `||host^$third-party` block a host; rules with other options and `@@` exceptions are
 * ignored.
 */
function hostOf(line: string): string | undefined {
  const host =
    /^\|\|([a-z0-9._-]+)\^(?:\$(?:third-party|3p|all))?$/.exec(line)?.[1] ??
    /^(?:0\.0\.0\.0|127\.0\.0\.1|::1?)\s+([a-z0-9._-]+)(?:\s*#.*)?$/.exec(line)?.[1] ??
    /^([a-z0-9._-]+)$/.exec(line)?.[1]
  return host !== undefined && hostName.test(host) && !/^[\d.]+$/.test(host) ? host : undefined
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
