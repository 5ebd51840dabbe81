"""Playwright itself for code-child.py. Its driver is started before the code comes, and one loop lasts until the code is over."""
import asyncio, time
import playwright.async_api as api

loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)


def run_here(coroutine, **_):
    """Objects of Playwright live in the loop that they were made in."""
    return loop.run_until_complete(coroutine)


driver = run_here(api.async_playwright().start())
asyncio.run = run_here
api.async_playwright = Started
Started.__getattr__ = lambda _, name: getattr(driver, name)
# As in the part that is built in: the session has one context.
api.Browser.new_page = lambda browser, **_: browser.contexts[0].new_page()


async def target_of(page):
    session = await page.context.new_cdp_session(page)
    info = await session.send('Target.getTargetInfo')
    await session.detach()
    return info['targetInfo']['targetId']


async def joined(job):
    browser = await driver.chromium.connect_over_cdp(job['endpoint'])
    context = browser.contexts[0]
    pages = context.pages
    ids = await asyncio.gather(*map(target_of, pages)) if len(pages) > 1 else []
    looked_at = [page for page, target in zip(pages, ids) if target == job.get('pageId')]
    page = (looked_at or pages[-1:] or [None])[0] or await context.new_page()
    most = job['actionTimeoutMs']
    context.set_default_timeout(max(most / 2, min(most, job['lastStepEndsMs'] - time.time() * 1000)))
    return {'page': page, 'context': context, 'browser': browser, 'Error': api.Error, 'TimeoutError': api.TimeoutError}


def objects(job):
    return run_here(joined(job))
