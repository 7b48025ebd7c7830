package parcels;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class TaskTests {
    @Test
    public void lightOnesAreCheap() {
        assertEquals(250, Postage.of(20));
    }

    @Test
    public void justAKilogramIsCheap() {
        assertEquals(250, Postage.of(1000));
    }

    @Test
    public void heavyOnesAreNot() {
        assertEquals(480, Postage.of(1001));
    }
}
