import assert from 'node:assert/strict';
import { readS3Place } from '../../../host/run/queue/s3-place.ts';

const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
const placeOf = (address: string, env: Record<string, string> = {}) =>
  readS3Place(address, { ...keys, ...env });

describe('the address of an S3 store', () => {
  it('is a bucket and a prefix at Amazon, or at the endpoint of the AWS tools', () => {
    const cases: [address: string, env: Record<string, string>, url: string, prefix: string][] = [
      ['s3://studies', {}, 'https://studies.s3.us-east-1.amazonaws.com', ''],
      [
        's3://studies/a/b/',
        { AWS_REGION: 'eu-west-1' },
        'https://studies.s3.eu-west-1.amazonaws.com',
        'a/b/',
      ],
      ['s3://my.studies/a', {}, 'https://s3.us-east-1.amazonaws.com/my.studies', 'a/'],
      ['s3://studies', { AWS_ENDPOINT_URL: 'http://h:9000/' }, 'http://h:9000/studies', ''],
      [
        's3://studies',
        { AWS_ENDPOINT_URL: 'http://h', AWS_ENDPOINT_URL_S3: 'https://h/s3' },
        'https://h/s3/studies',
        '',
      ],
    ];
    for (const [address, env, url, prefix] of cases) {
      const place = placeOf(address, env);
      assert.deepEqual([place.url, place.prefix], [url, prefix]);
      assert.equal(place.address, address.replace(/\/$/, ''));
    }
  });

  it('has keys in the environment alone, with the token of keys for a limited time', () => {
    const { keys: read } = placeOf('s3://studies', { AWS_SESSION_TOKEN: 'token' });
    assert.deepEqual(read, { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' });
    for (const lacking of [{}, { AWS_ACCESS_KEY_ID: 'id' }, { ...keys, AWS_SECRET_ACCESS_KEY: '' }])
      assert.throws(() => readS3Place('s3://studies', lacking), { code: 'bad-setting' });
  });

  it('is refused with keys in it, which are not shown', () => {
    for (const address of ['s3://AKIA:hidden@studies/a', 's3://studies/a?key=hidden', 's3://hidden:x@h'])
      assert.throws(
        () => placeOf(address),
        ({ code, message }: { code: unknown; message: string }) =>
          code === 'usage' && !message.includes('hidden'),
      );
    assert.throws(() => placeOf('s3://studies', { AWS_ENDPOINT_URL: 'http://a:hidden@h' }), {
      code: 'bad-setting',
      message: /^(?!.*hidden)/,
    });
  });

  it('is refused if it leads elsewhere or names no bucket', () => {
    for (const address of [
      's3://',
      's3:studies',
      's3://a',
      's3://Studies',
      's3://studies/../b',
      's3://studies/a b',
    ])
      assert.throws(() => placeOf(address), { code: 'usage' });
    for (const url of ['h:9000', 'ftp://h', 'http://h/?a', ' '])
      assert.throws(() => placeOf('s3://studies', { AWS_ENDPOINT_URL: url }), { code: 'bad-setting' });
  });
});
