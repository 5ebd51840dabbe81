import { stemOf, stopWords, wordsIn } from '../../../util/words.ts'

/** Inflected forms that the stemmer does not recognize. The first form of each group replaces the others. */
const irregular = `
begin began begun beginning; break broke broken; buy bought; choose chose chosen; company companies; cut cutting; day daily; draw drew drawn; drive
drove driven; fall fell fallen; find found; forget forgot forgotten; free freed; get got getting; give gave given; go went gone; grow grew
grown; hide hid hidden; hold held; hour hourly; keep kept; know knew known; leave left; log logging; lose lost; make made; mean meant; month
monthly; night nightly; pay paid; person people; put putting; quick quickly; run running ran; say said; see saw seen; sell sold; send sent; set
setting; show shown; slow slowly; speak spoke spoken; spend spent; steal stole stolen; stick stuck; stop stopping; take took taken; tell told; think
thought; throw threw thrown; understand understood; wake woke; week weekly; write wrote written; year yearly;
authenticate authentication; authorize authorization; compare comparison; configure configuration; connect connection; delete deletion; describe
description; different difference; expire expiry; extract extraction; install installation; limit limitation; notify notification; permit
permission; safe safety safely; secure security; subscribe subscription`

/** Groups of synonyms: a word that people use, and terms of the documentation. */
const related = `
picture image photo photograph pic; picture screenshot photo snapshot; video film movie clip; audio sound music podcast mp3 song;
address url link uri; website site webpage homepage web; page webpage document article; text markdown content words;
robot bot automated crawler agent; assistant agent ai llm model claude chatgpt;
cost price charge credit pay fee bill money expensive cheap; budget limit credit quota allowance spend; free cost account;
computer machine laptop pc device; server host backend service; company organisation office business team department;
colleague team user coworker employee people person customer;
password login credential secret; login sign log account; logout sign; key token secret credential; access permission allow; revoke withdraw remove
delete disable;
disk drive storage space folder; folder directory drive disk; file document; save store keep download export write; download save fetch export; upload
send file; delete remove erase forget clear prune wipe clean rid; empty blank nothing none;
alert notify tell inform ping email message; message event notify callback webhook; callback webhook notify; notify webhook; change different update
modify; watch monitor observe track follow; schedule regularly every day cron hour morning; competitor rival;
fast quick speed; slow wait delay overload speed performance; wait delay sleep pause; late delay; timeout time wait long hang; abort cancel stop
interrupt end; stop cancel end quit kill; crash restart reboot die kill sleep; resume continue pick restart; again repeat retry twice resend;
old stale outdated cache; cache copy store again; fresh new recent newest latest current; recent newest last latest; last past recent;
error fail failed failure problem wrong break refuse; refuse deny block reject forbid; block ban forbid deny; hacker attacker attack forge fake
malicious; trick injection manipulate fool deceive attack; safe secure protect; verify check genuine signature authentic prove; bad harmful malicious
dangerous evil; privacy private confidential gdpr;
scan ocr; pdf document file; spreadsheet excel xlsx table csv; table list rows columns data; word docx; slides powerpoint presentation pptx; letter
document; book epub; newsletter mail;
list index overview all; whole entire complete full all every; every all each; part section area folder; only restrict limit filter just include
contain; exclude skip ignore omit leave without; summary short summarise brief abstract overview; translate language;
shop store product; name title; product item article; data json field structured information; extract pull get collect gather; research question answer
investigate; question ask query; source citation reference evidence origin; search find look google query; result hit answer;
phone mobile iphone android smartphone tablet ipad; tablet phone mobile viewport; mouse hand click control; voice speech audio sound;
spoken speech audio; yesterday old outdated last; tomorrow next schedule; steal leak lose revoke; wake alert notify tell; teammate colleague team user;
wiki intranet internal site; chatbot claude assistant agent model; country location region; germany german country location; france french language; language locale german
french spanish english;
browser chrome chromium edge firefox; click press tap push; type enter write fill input; form input field fill; button click; scroll load more
infinite; popup banner cookie dialog consent; cookie banner consent header session; captcha challenge robot human; code script program; program app
application tool client software; script javascript code program; screen view see watch display; see view watch look show; hand person human manually
somebody; sms code factor 2fa;
docker container image; cloud server host deploy; nginx proxy https reverse; https tls ssl certificate; certificate ssl tls https; environment variable
setting config; option parameter setting flag; setting option config configure variable; port address; start run launch open begin; install setup add;
connect plug hook integrate attach add; client program app editor; update upgrade version; database sqlite store data; move migrate switch;
migrate switch firecrawl;
limit maximum most quota cap size; maximum limit largest size big; size big large mb; many number count limit; parallel concurrency same simultaneous
together; concurrency parallel simultaneous; queue wait line; minute rate;
usage used consumption spend; activity history log recent; history past earlier log; log record activity; progress status far state run; status state
progress; run active open live; live run open active; finish done complete end ready; done finish complete ready;
many bulk batch list hundreds thousands several; list batch bulk many; bulk batch many; separate own different each; share common several together;
help docs documentation manual; tool function operation command; command cli terminal; terminal shell console cli; api rest http endpoint; endpoint
route api; sdk library client package; curl http rest;
power crash restart die outage; electricity power crash restart; outage crash down restart unavailable; offline network connection lockdown cache; internet
network web online; mac macos machine install; windows machine install; linux machine install; raspberry machine memory;
llama ollama model local; ollama model local; mistral model; gemini model client; gpt openai model; deepseek model; qwen model; openai model; anthropic model
claude; cloud server host remote service; notebook python script; jupyter python script; pandas csv json export; slack webhook notify message; discord
webhook notify message; telegram webhook notify message; chat message notify webhook; zapier webhook rest; invoice pdf scan file; receipt pdf scan file;
paper scan pdf file; sheet spreadsheet table csv; graph chart; boss team user; manager team user admin; friend team user key; guest user key access;
stranger public user access hacker; public open internet access; obey robots respect follow rule; respect robots obey follow; polite delay robots
crawl; flood overload delay limit; kick block close; throw block refuse; legal robots permission; half part partial; partial part half; carry continue
resume; kill stop end crash; forever endless hang limit timeout; endless infinite forever; bargain price; discount price; stock price; ticket price buy;
vacancy job; headline title news; review rating comment; contact email phone; logo brand colour font; brand logo colour font; colour brand design; css style
design html; design brand style colour; subtitle transcript video; umlaut charset encoding character; garbled charset encoding character; weird strange
wrong odd; zip archive compress file; compress gzip zip; backup copy export save; import load add; restore import backup; obtain get fetch;
grab get fetch extract capture; pull get extract fetch; dump export save; scrape fetch read page; spider crawl crawler; index search store; hit result match;
sender signature origin; receiver endpoint webhook; endpoint receiver; attempt retry try; bounce redirect; redirect follow; moved redirect; dead broken missing
404; missing gone lost; bill cost charge invoice; charge cost credit bill; twice duplicate repeat again; duplicate twice same repeat; accident mistake twice;
undo revert; oversee watch monitor; spy watch; glance look see; peek look see; steer control drive act; operate control drive; human person people;
fax phone; sentence text words; paragraph section text passage; quote sentence passage; bullet list; row line table; column field table;
hour hourly schedule; weekday schedule cron; monday schedule cron; midnight schedule cron time; appointment schedule;
tab page window; window tab page browser; bookmark url save; history past earlier; private secret confidential; anonymous private search;
trust safe allow; suspicious hostile malicious; virus malicious hostile; malware malicious hostile; leak lose steal; spend cost credit use;
quick fast; sluggish slow; lag slow delay; stall hang stuck; crash fail die;
bug fault error problem crash; issue problem error trouble; trouble problem error; strange wrong error; hang freeze stuck block; freeze hang
stuck; frozen hang stuck; vanish disappear gone lost expire; disappear vanish gone expire lost; missing lost gone absent incomplete left;
incomplete missing part half cut; truncate cut short limit; damaged broken corrupt; unreachable offline down dead; offline internet network cache
local; internet network web online; intranet internal private local; internal intranet private local; localhost loopback local 127; vpn proxy
network ip; anonymous private incognito; stealth enhanced bot challenge; telemetry track analytics collect; spy telemetry track privacy; leak
expose share secret; encrypt encryption passphrase secret; uninstall remove delete; requirement need version install; version release upgrade;
dependency package library module; library package sdk module; platform system windows mac linux; mac macos apple; legal law allow terms licence
robots; licence license terms copyright; polite slow robots delay; hammer overload flood slow; throttle slow limit rate delay; headline title
heading; title heading headline name; paragraph text section; chapter section part heading; author writer metadata; thumbnail picture image
preview screenshot; logo icon favicon brand; brand logo colour font design; colour color design theme; font typography brand; dropdown select
option choose; choose select pick option; checkbox check tick; upload attach send multipart; attachment file upload; modal popup dialog overlay;
overlay popup banner dialog; ad ads advert advertisement block; advertisement ad ads block; footer header navigation sidebar; navigation menu
header footer; clutter boilerplate junk clean; junk boilerplate clutter clean; comment review; review rating comment; discount sale price; sale
price discount; booking order reservation form; reserve book order form; buy order purchase checkout pay; purchase buy order; checkout pay buy
order; order buy purchase book; cart basket shop; contact email phone address; telephone phone number; dataset data table jsonl training; training
dataset model; rag knowledge index export; backup copy save restore; restore backup resume; mirror copy download save; archive warc save zip;
version snapshot history; previous earlier last old past; earlier previous past; today now current; now immediately current; difference diff
compare change; diff difference compare change; compare diff difference change; edit change update modify; alter change edit; expire retention
keep; retention keep expire; lifetime ttl expire keep; duration time seconds minute; thread parallel process lane; processor cpu core; memory ram
mb; ram memory mb; tenant team customer; customer tenant team client; administrator operator admin; operator administrator admin; admin
administrator operator; role permission access; permission access allow grant; grant permission allow access; sso oauth oidc; oauth sso token
authorization; authenticate key token authorization bearer login; unauthorized 401 key; forbidden 403 refuse permission; health status alive
doctor; healthy health doctor check; diagnose doctor why support; why reason cause; reason why cause; explain describe help why; hide hidden
invisible; invisible hidden; malware virus malicious hostile; virus malware malicious; instruction prompt order; prompt instruction question; gpt
openai model chatgpt; llm model language; remote server hosted cloud another; hosted cloud remote service; structure map sitemap folder; subpage
page link below; link url href address; dead broken 404; level depth deep; depth deep level; path folder directory url; regex pattern expression;
pattern regex expression; wildcard pattern regex; keyword word query; topic subject about; subject topic; academic scientific scholar paper;
scientific academic scholar paper research; newspaper news article; transcribe transcript speech; speech audio transcript; subtitle transcript
caption; handwriting ocr scan; photocopy scan ocr; sheet spreadsheet excel; body payload data; payload body data; trigger start event; openapi
swagger specification; swagger openapi; example sample snippet; sample example; tutorial guide start example; beginner start first try; try test
start; demo try example playground; gui dashboard interface; interface dashboard ui; ui dashboard interface; chart graph; graph chart; keyboard
key press type; automate schedule script action; automation script action; integrate connect; recurring schedule repeat cron; periodic schedule
regular; regular schedule every; exit end quit; terminate end stop kill close; close end quit; tag selector element; selector css element; element
selector tag; attribute property field; property attribute field; column field table; sort order rank; rank order sort; duplicate twice same;
twice duplicate again; double twice duplicate; outage down dead; proxy ip vpn; geo country location; abroad country location; foreign country
language; viewport window size; resolution size viewport; tiny small; huge large big; enormous large big; slowly delay wait; rotate proxy ip key;
count number many; amount number many; quantity number many; consume use spend; browse navigate visit open; visit open read fetch; navigate go
open; crawl walk spider follow; spider crawl; rendered javascript browser; dynamic javascript; react javascript; loading load wait; lazy scroll
load; inbox email message; mail email message; slack message notify webhook; zapier n8n webhook; reachable access open; visible see show; recover
resume restore; survive restart crash; persist keep store save; permanent keep store; temporary short while; forever endless long; endless
infinite forever; infinite endless scroll; concurrent parallel same; simultaneous same parallel; overlap same parallel; reject refuse deny; deny
refuse reject; denied refuse forbidden; censor remove hide; redact remove hide; sign login log; signin login log; logon login; signup account;
register account; membership login member account; subscription login account; paywall login subscription; typo spelling misspelled; misspell typo
wrong; spelling typo; invalid wrong refuse; valid correct right; correct right true; hallucinate invent made; invent made; true correct trust;
trust safe secure; speed fast quick; performance speed fast; benchmark speed performance; latency wait delay time; laptop computer machine; vps
server host; kubernetes container deploy; podman docker container; daemon service background; background service while; boot start; parse convert
read; convert turn parse; turn convert; transform convert turn; conversion convert; translate language; invoice bill document; bill cost price;
fee price cost; refund charge; subscribe notify; payment pay card; recipe dish food; dish menu food; food menu dish; restaurant menu dish; cafe
restaurant menu; catalogue list product; inventory stock availability; availability stock available; brochure pdf document; thesis paper document;
manual documentation guide; handbook documentation guide; lecture document slides; essay article; blog article post; post article blog; forum
comment thread; wiki site page`

/** Filler words, which have less weight. */
const vague = `anybody nobody other others another instead want get make give use using need please put let tell like thing things way something anything everything somebody someone everybody come
go say look without within also still just one ones
stand sit lie among though although however able actually ago already always anyone around away back bit bring certain clear course easy either else
enough especially ever exactly exist expect fact far feel few fine first good great happen hard hope idea important instead involve kind know later least
less likely little lot main matter maybe mean moment much must mine near necessary never nice normal notice now often okay only ordinary otherwise perhaps
play point possible pretty probably properly quite rather ready real really right same seem several simple simply since small soon still stuff such sure
take talk thank think though together too toward try understand until usual usually various way whether while whole wish wonder work yes yet`

const stemsOf = (text: string) => text.split(/\s+/).filter(Boolean).map(stemOf)
const groupsOf = (text: string) => text.split(';').map(stemsOf)

/** Maps stems of irregular forms to the stem of the first form. */
const formsOfWords: ReadonlyMap<string, string> = new Map(
  groupsOf(irregular).flatMap(([first = '', ...others]) => others.map((other): [string, string] => [other, first])),
)

export const vagueWords: ReadonlySet<string> = new Set(stemsOf(vague).map((stem) => formsOfWords.get(stem) ?? stem))

/** Maps a word to its synonyms: from the groups that it starts, otherwise from those that contain it. */
export const relatedWords: ReadonlyMap<string, ReadonlySet<string>> = relations()

function relations(): Map<string, Set<string>> {
  const groups = groupsOf(related).map((group) => group.map((stem) => formsOfWords.get(stem) ?? stem))
  const byFirst = Map.groupBy(groups, ([first]) => first)
  const holding = new Map<string, string[][]>()
  for (const group of groups)
    for (const word of new Set(group)) {
      const held = holding.get(word)
      if (held) held.push(group)
      else holding.set(word, [group])
    }
  return new Map(Array.from(holding, ([word, held]) => [word, othersIn(byFirst.get(word) ?? held, word)]))
}

function othersIn(groups: readonly string[][], word: string): Set<string> {
  return new Set(groups.flat().filter((other) => other !== word))
}

const runs = /[\p{L}\p{N}]+(?:[_'’][\p{L}\p{N}]+)*/gu

/**
 * Returns the significant words of a text as stems. Names such as `maxAge`, `SearXNG` and `SCRAPE_TIMEOUT` yield both
 * the whole name and its parts, because people write either.
 */
export function termsOf(text: string): string[] {
  return text.match(runs)?.flatMap(termsIn) ?? []
}

/** Creates a version of `termsOf` with a cache, for many texts that share most words. */
export function termsOfMany(): (text: string) => string[] {
  const known = new Map<string, string[]>()
  const termsOnce = (run: string) => {
    const terms = known.get(run) ?? termsIn(run)
    known.set(run, terms)
    return terms
  }
  return (text) => text.match(runs)?.flatMap(termsOnce) ?? []
}

function termsIn(run: string): string[] {
  const lower = run.toLowerCase()
  if (stopWords.has(lower.replace(/['’].*/u, ''))) return []
  const parts = wordsIn(run.replaceAll('_', ' ')).map((part) => formsOfWords.get(part) ?? part)
  return parts.length > 1 ? [...parts, stemOf(lower.replace(/[_'’]/gu, ''))] : parts
}
