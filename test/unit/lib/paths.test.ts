import assert from 'node:assert/strict';
import { packageFolder, pwpHome } from '../../../host/lib/index.ts';

describe('paths', () => {
  it('takes the cache folder from PWP_HOME, then the cache directory, then the home', () => {
    assert.equal(pwpHome({ PWP_HOME: '/a', XDG_CACHE_HOME: '/b', HOME: '/c' }), '/a');
    assert.equal(pwpHome({ PWP_HOME: '', XDG_CACHE_HOME: '/b', HOME: '/c' }), '/b/pwp');
    assert.equal(pwpHome({ HOME: '/c' }), '/c/.cache/pwp');
  });

  it('finds the package from its sources and from its bundle', () => {
    assert.equal(packageFolder('file:///host/of/pwp/host/lib/paths.ts'), '/host/of/pwp');
    assert.equal(packageFolder('file:///host/of/pwp/dist/pwp.js'), '/host/of/pwp');
  });
});
