import { expect } from 'chai';
import { TrustedClock } from '../src/writer/trusted-clock.ts';
import type { ReferenceClock } from '../src/writer/trusted-clock.ts';
import { FakeClock, turn } from '@paper/testkit';

describe('the trusted clock', () => {
  let clock: FakeClock;
  let alarms: string[];
  let noted: string[];
  let checked: TrustedClock;

  const watched = (reference?: ReferenceClock): TrustedClock => {
    checked = new TrustedClock({
      clock,
      observer: { alarm: (message) => void alarms.push(message), noted: (message) => void noted.push(message) },
      reference,
    });
    checked.watch();
    return checked;
  };
  /** Advances the clock second by second, and gives pending reads time to be answered. */
  const pass = async (seconds: number): Promise<void> => {
    for (let left = seconds; left > 0; left -= 1) {
      clock.advance(1_000);
      await turn();
    }
  };

  beforeEach(() => {
    clock = new FakeClock();
    alarms = [];
    noted = [];
  });
  afterEach(() => checked.stop());

  it('reads the wall clock, which may be set by up to 60 s, again and again', async () => {
    const one = watched();
    for (let steps = 0; steps < 10; steps += 1) {
      clock.jump(steps % 3 === 0 ? -60_000 : 60_000);
      expect(one.read()).to.equal(clock.now());
      await pass(1);
    }
    expect([alarms, noted]).to.deep.equal([[], []]);
  });

  for (const [what, ms] of [
    ['forward', 60_001],
    ['back', -3_600_000],
  ] as const) {
    it(`reads nothing where it was set ${what} by more, says so once, and reads on where it is back`, async () => {
      const one = watched();
      clock.jump(ms);
      await pass(5);
      expect(one.read()).to.equal(null);
      expect(one.distrustReason).to.match(
        new RegExp(`^the wall clock jumped (60|3,600) s ${what}; it is trusted again once`),
      );
      clock.jump(-ms);
      expect(one.read()).to.equal(clock.now());
      expect(one.distrustReason).to.equal(null);
      expect(alarms).to.deep.equal(['the wall clock jumped; commands are refused until it is trusted again']);
      expect(noted).to.deep.equal(['the wall clock is trusted again']);
    });
  }

  it('trusts a new offset that was steady for 30 s, without being read, and runs the waiting work', async () => {
    const one = watched(() => Promise.resolve(clock.now()));
    let told = 0;
    one.onceTrusted(() => (told += 1));
    clock.jump(-3_600_000);
    await pass(15);
    clock.jump(2_000);
    await pass(30);
    expect([one.read(), told]).to.deep.equal([null, 0]);
    await pass(1);
    expect([one.read(), told]).to.deep.equal([clock.now(), 1]);
    // From here on the next readings are expected from the new offset.
    clock.jump(3_600_000);
    expect(one.read()).to.equal(null);
  });

  it('tells whoever waits once, however often he asks, and again only where he asks again', () => {
    const one = watched();
    let told = 0;
    const work = (): void => void (told += 1);
    const doubtedWith = (asking: number): void => {
      clock.jump(3_600_000);
      expect(one.read()).to.equal(null);
      for (let times = 0; times < asking; times += 1) one.onceTrusted(work);
      clock.jump(-3_600_000);
      expect(one.read()).to.equal(clock.now());
    };
    doubtedWith(3);
    expect(told).to.equal(1);
    doubtedWith(0);
    expect(told).to.equal(1);
    doubtedWith(1);
    expect(told).to.equal(2);
  });

  it('trusts no offset that the reference clock contradicts, after a restart or not', async () => {
    const database = clock.now();
    const begunMs = clock.monotonic();
    const one = watched(() => Promise.resolve(database + clock.monotonic() - begunMs));
    expect(await one.disagreement()).to.equal(null);
    clock.jump(600_000);
    await pass(120);
    expect(one.read()).to.equal(null);
    expect(one.distrustReason).to.equal(
      "the wall clock jumped 600 s forward; the wall clock is 600 s ahead of the database's clock: set right the one that is wrong",
    );
    const another = watched(() => Promise.resolve(database + clock.monotonic() - begunMs));
    expect(await another.disagreement()).to.match(/^the wall clock is 600 s ahead of the database's clock/);
    clock.jump(-660_000);
    expect(await another.disagreement()).to.equal(null);
    await pass(31);
    expect(another.read()).to.equal(clock.now());
    one.stop();
  });

  it('reads the reference clock at once after a clock that it contradicted at the start was set', async () => {
    const rightMs = clock.now();
    const begunMs = clock.monotonic();
    clock.jump(7_200_000);
    const one = watched(() => Promise.resolve(rightMs + clock.monotonic() - begunMs));
    expect(await one.disagreement()).to.include('7,200 s ahead');
    clock.jump(-3_600_000);
    expect([one.distrustReason, await one.disagreement()].join()).to.include('3,600 s ahead');
    clock.jump(-3_600_000);
    expect([one.distrustReason, await one.disagreement()]).to.deep.equal([null, null]);
    // From here on the clock is trusted, and its next readings are expected from the new offset.
    clock.jump(3_600_000);
    expect(one.read()).to.equal(null);
  });

  it('is not denied by a reference clock that cannot be read, and stays denied by it', async () => {
    let answer = (): Promise<number> => Promise.reject(new Error('no connection'));
    const one = watched(() => answer());
    expect(await one.disagreement()).to.include('the database cannot be asked');
    expect(one.isTrusted).to.equal(true);
    answer = () => Promise.resolve(clock.now() + 600_000);
    expect(await one.disagreement()).to.include('600 s behind');
    expect(one.isTrusted).to.equal(false);
    answer = () => Promise.reject(new Error('no connection'));
    await one.disagreement();
    expect(one.isTrusted).to.equal(false);
    answer = () => Promise.resolve(clock.now());
    expect(await one.disagreement()).to.equal(null);
    expect(one.isTrusted).to.equal(true);
  });

  it('trusts no new offset while the reference clock cannot be read, and keeps trying', async () => {
    let away = true;
    const one = watched(() => (away ? Promise.reject(new Error('no connection')) : Promise.resolve(clock.now())));
    clock.jump(600_000);
    await pass(40);
    expect(one.distrustReason).to.include('the database cannot be asked');
    away = false;
    await pass(2);
    expect(one.read()).to.equal(clock.now());
  });

  it('trusts the clock at once where the machine was asleep for as long as the wall clock advanced', async () => {
    const one = watched();
    clock.sleep(8 * 3_600_000);
    expect(one.read()).to.equal(clock.now());
    await pass(2);
    clock.sleep(40_000);
    await pass(2);
    expect(one.read()).to.equal(clock.now());
    // An earlier sleep does not excuse a later jump.
    clock.jump(8 * 3_600_000);
    expect(one.read()).to.equal(null);
    expect([alarms.length, noted]).to.deep.equal([1, ['the machine was asleep']]);
  });

  it('was led away in small steps and put right in a large one: it is trusted again by itself', async () => {
    const one = watched(() => Promise.resolve(clock.now()));
    for (let steps = 0; steps < 4; steps += 1) {
      clock.jump(50_000);
      await pass(1);
      expect(one.read()).to.equal(clock.now());
    }
    clock.jump(-200_000);
    expect(one.read()).to.equal(null);
    await pass(32);
    expect(one.read()).to.equal(clock.now());
  });
});
